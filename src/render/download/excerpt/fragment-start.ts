import { undefinedIfDeclined } from '../../engine/binary/fast-path-declined.ts';
import { FieldReader } from '../../engine/binary/field-reader.ts';
import { type Box, optionalBox } from '../../engine/mp4/box-reader.ts';
import { readDefaults } from '../../engine/mp4/fragment-reader.ts';
import { childBoxes } from './child-boxes.ts';
import type { MovieBoxes, TrackBoxes } from './movie-boxes.ts';

/** Flags of the optional fields of a track fragment (`tfhd`, `trun`), of four bytes each unless noted. */
const headerFlags = { baseOffset: 0x1, description: 0x2, duration: 0x8, size: 0x10, sampleFlags: 0x20 } as const;
const runFlags = {
  dataOffset: 0x1,
  firstFlags: 0x4,
  duration: 0x100,
  size: 0x200,
  sampleFlags: 0x400,
  composition: 0x800,
} as const;
/** "Not a sync sample" among the flags of a sample. */
const notSync = 0x1_0000;

/** How a fragment begins. */
export interface FragmentStart {
  /** Presentation time of the earliest first sample of a track, in seconds on the clock of its file. */
  readonly time: number;
  /** Whether decoding can begin at the first sample of each video track, according to its flags. */
  readonly isSync: boolean;
  /** The first sample of each video track: its offset from the beginning of the `moof` box. */
  readonly videos: readonly { readonly track: TrackBoxes; readonly offset: number }[];
}

/**
 * Reads how a fragment begins.
 *
 * @param moof - body of its `moof` box.
 * @returns undefined if it does not state the time.
 */
export function readFragmentStart(moof: Buffer, movie: MovieBoxes): FragmentStart | undefined {
  return undefinedIfDeclined(() => {
    const starts = childBoxes(moof).flatMap(({ type, body }) => {
      return type === 'traf' ? (readTrackStart(childBoxes(body), movie) ?? []) : [];
    });
    if (starts.length === 0) return undefined;
    return {
      time: Math.min(...starts.map(({ time }) => time)),
      isSync: starts.every(({ isSync }) => isSync),
      videos: starts.flatMap(({ videos }) => videos),
    };
  });
}

function readTrackStart(boxes: readonly Box[], { tracks, boxes: movieBoxes }: MovieBoxes): FragmentStart | undefined {
  const [header, time] = [optionalBox(boxes, 'tfhd'), optionalBox(boxes, 'tfdt')];
  const run = boxes.find(({ type }) => type === 'trun')?.body;
  if (header === undefined || time === undefined || run === undefined) return undefined;
  const { id, sampleFlags, hasBaseOffset } = readHeader(header);
  const track = tracks.find((one) => one.id === id);
  if (track === undefined) return undefined;
  const first = readFirstSample(run);
  if (first === undefined) return undefined;
  const defaults = readDefaults(childBoxes(optionalBox(movieBoxes, 'mvex') ?? Buffer.alloc(0))).get(id);
  const flags = first.flags ?? sampleFlags ?? defaults?.flags ?? 0;
  const isSync = track.kind !== 'video' || (flags & notSync) === 0;
  // An offset from the beginning of the file says nothing about an excerpt.
  const { offset } = first;
  const videos = track.kind === 'video' && offset !== undefined && !hasBaseOffset ? [{ track, offset }] : [];
  return { time: presentationTime(readDecodingTime(time) + first.composition, track), isSync, videos };
}

function presentationTime(ticks: number, { timescale, edit }: TrackBoxes): number {
  return (ticks - (edit?.mediaTime ?? 0)) / timescale + (edit?.delay ?? 0);
}

/** Reads the number of the track of a fragment, the flags of its samples, and whether it states an offset in the file. */
function readHeader(body: Buffer) {
  const fields = new FieldReader(body);
  const { flags } = fields.versionAndFlags();
  const id = fields.u32();
  const hasBaseOffset = (flags & headerFlags.baseOffset) !== 0;
  if ((flags & headerFlags.sampleFlags) === 0) return { id, hasBaseOffset, sampleFlags: undefined };
  if (hasBaseOffset) fields.skip(8);
  for (const flag of [headerFlags.description, headerFlags.duration, headerFlags.size]) {
    if ((flags & flag) !== 0) fields.skip(4);
  }
  return { id, hasBaseOffset, sampleFlags: fields.u32() };
}

/** Reads when a fragment is decoded, in ticks. Writers put negative times into 64 bits, as FFmpeg reads them, too. */
function readDecodingTime(body: Buffer): number {
  const fields = new FieldReader(body);
  return fields.versionAndFlags().version === 1 ? fields.i64() : fields.u32();
}

/** Reads the first sample of a run: its offset, its flags, and its ticks from decoding to presentation. */
function readFirstSample(body: Buffer) {
  const fields = new FieldReader(body);
  const { flags } = fields.versionAndFlags();
  if (fields.u32() === 0) return undefined;
  const skip = (flag: number) => ((flags & flag) === 0 ? undefined : fields.skip(4));
  const read = (flag: number) => ((flags & flag) === 0 ? undefined : fields.u32());
  const offset = (flags & runFlags.dataOffset) === 0 ? undefined : fields.i32();
  const firstFlags = read(runFlags.firstFlags);
  skip(runFlags.duration);
  skip(runFlags.size);
  const sampleFlags = read(runFlags.sampleFlags);
  // Version 0 defines unsigned offsets, but writers put negative values there too.
  const composition = (flags & runFlags.composition) === 0 ? 0 : fields.i32();
  return { composition, flags: firstFlags ?? sampleFlags, offset };
}

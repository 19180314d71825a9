import type { ByteSource } from '../binary/byte-source.ts';
import { undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, readBoxBody, requiredBox, walkBoxes } from './box-reader.ts';
import { readDefaults, readFragment } from './fragment-reader.ts';
import { maxFragmentBytes } from './movie-reader.ts';
import { SampleList } from './sample-list.ts';
import { type Edit, readEdit, readMediaHeader, readTrackId } from './track-reader.ts';

/** Number of frames of which one is presented first. Frames are presented up to 16 frames after their decoding. */
const reorderedFrames = 64;
/** Number of fragments of which the composition offsets are read. Encoders use the same reordering throughout. */
const readFragments = 4;
/** Maximum number of samples of one fragment. */
const maxFragmentSamples = 100_000;

/** Where the media library's times of a file differ from those that the file states. */
export interface TrackShifts {
  /** Seconds to add to the library's times, by track ID. */
  readonly seconds: ReadonlyMap<number, number>;
  /**
   * Whether edits of a file without fragments have the duration 0. They play to the end of the media, as in fragmented
   * files (ISO/IEC 14496-12 §8.6.6), but the library plays one frame (FFmpeg 8.1, seen 2026-11-28).
   */
  readonly hasOpenEdits: boolean;
}

/** The shifts of a file whose index could not be read. */
export const noShifts: TrackShifts = { seconds: new Map(), hasOpenEdits: false };

interface VideoTrack {
  readonly id: number;
  readonly timescale: number;
  readonly edit: Edit | undefined;
  readonly table: readonly Box[];
}

/**
 * Reads the shifts of a file.
 *
 * @param movie - boxes of its `moov` box.
 * @throws FastPathDeclined if its tracks cannot be read.
 */
export function readTrackShifts(source: ByteSource, movie: readonly Box[]): TrackShifts {
  const fragmentDefaults = optionalBox(movie, 'mvex');
  const movieScale = readMovieScale(requiredBox(movie, 'mvhd'));
  const tracks = movie.filter(({ type }) => type === 'trak').map(({ body }) => childBoxes(body));
  const edits = tracks.map((boxes) => undefinedIfDeclined(() => readEdit(boxes, movieScale) ?? 'none'));
  const isSimple = edits.every((edit) => edit !== undefined);
  const isOpen = edits.some((edit) => edit !== undefined && edit !== 'none' && edit.length === undefined);
  const hasOpenEdits = fragmentDefaults === undefined && isSimple && isOpen;
  const videos = tracks.flatMap((boxes, at) => {
    const edit = edits[at];
    return edit === undefined ? [] : (readVideoTrack(boxes, edit === 'none' ? undefined : edit) ?? []);
  });
  const offsets = fragmentDefaults && earliestOffsets(source, videos, childBoxes(fragmentDefaults));
  const shiftOf = (video: VideoTrack) => {
    if (offsets !== undefined) return Math.min(0, offsets.get(video.id) ?? 0);
    return hasOpenEdits ? 0 : plainShift(video);
  };
  const shifts = videos.map((video) => [video.id, shiftOf(video) / video.timescale] as const);
  return { seconds: new Map(shifts.filter(([, shift]) => shift !== 0)), hasOpenEdits };
}

/** Reads the timescale of a movie header, which is at the same place as that of a media header. */
function readMovieScale(body: Buffer): number {
  return readMediaHeader(body).timescale;
}

function readVideoTrack(boxes: readonly Box[], edit: Edit | undefined): VideoTrack | undefined {
  const media = childBoxes(requiredBox(boxes, 'mdia'));
  if (requiredBox(media, 'hdlr').toString('latin1', 8, 12) !== 'vide') return undefined;
  const { timescale } = readMediaHeader(requiredBox(media, 'mdhd'));
  const table = childBoxes(requiredBox(childBoxes(requiredBox(media, 'minf')), 'stbl'));
  return { id: readTrackId(requiredBox(boxes, 'tkhd')), timescale, edit, table };
}

/**
 * Returns the shift of a track without fragments, in its ticks. With an edit list, the library presents the first frame
 * at the beginning of the edit, even if the media presents nothing there yet. Without one, it presents no frame before
 * it is decoded.
 */
function plainShift({ edit, table }: VideoTrack): number {
  const [durations, offsets] = [firstValues(requiredBox(table, 'stts')), firstValues(optionalBox(table, 'ctts'))];
  let time = 0;
  const presented = offsets.map((offset, at) => {
    const decoded = time;
    time += durations[at] ?? 0;
    return decoded + offset;
  });
  if (edit === undefined) return Math.min(0, ...offsets);
  return presented.length === 0 ? 0 : Math.max(0, Math.min(...presented) - edit.mediaTime);
}

/** Returns the first values of a table of run lengths and values. */
function firstValues(body: Buffer | undefined): number[] {
  if (body === undefined) return [];
  const fields = new FieldReader(body);
  fields.versionAndFlags();
  const values: number[] = [];
  for (let entries = fields.u32(); entries > 0 && values.length < reorderedFrames; entries -= 1) {
    const run = Math.min(fields.u32(), reorderedFrames - values.length);
    const value = fields.i32();
    for (let at = 0; at < run; at += 1) values.push(value);
  }
  return values;
}

/** Returns the earliest composition offset of each track in the first fragments of a file, in its ticks. */
function earliestOffsets(
  source: ByteSource,
  videos: readonly VideoTrack[],
  extensions: readonly Box[],
): ReadonlyMap<number, number> {
  const defaults = readDefaults(extensions);
  const earliest = new Map<number, number>();
  // Of a file that still arrives, or that has an unusual fragment, those before it are read.
  undefinedIfDeclined(() => {
    let count = 0;
    for (const box of walkBoxes(source)) {
      if (box.type !== 'moof') continue;
      if (count === readFragments) return;
      count += 1;
      const tracks = new Map(
        videos.flatMap(({ id, timescale }) => {
          const own = defaults.get(id);
          const samples = new SampleList(maxFragmentSamples);
          return own === undefined ? [] : [[id, { defaults: own, allSync: false, timescale, samples }] as const];
        }),
      );
      const place = { offset: box.offset, positionShift: 0, from: 0, to: Number.POSITIVE_INFINITY };
      readFragment(readBoxBody(source, box, maxFragmentBytes), place, tracks);
      for (const [id, { samples }] of tracks) {
        const offsets = samples.compositions.subarray(0, samples.count);
        earliest.set(
          id,
          offsets.reduce((least, offset) => Math.min(least, offset), earliest.get(id) ?? 0),
        );
      }
    }
  });
  return earliest;
}

import { undefinedIfDeclined } from '../../engine/binary/fast-path-declined.ts';
import { beginsDecoding } from '../../engine/formats/key-frames.ts';
import { type Box, optionalBox } from '../../engine/mp4/box-reader.ts';
import { readDefaults, readFragment } from '../../engine/mp4/fragment-reader.ts';
import { readDecoderConfig, readSampleEntry } from '../../engine/mp4/sample-entry.ts';
import { maxSamples, SampleList } from '../../engine/mp4/sample-list.ts';
import { childBoxes } from '../excerpt/child-boxes.ts';
import { readMovieBoxes, type TrackBoxes } from '../excerpt/movie-boxes.ts';
import type { SegmentFrame } from './segment-frame.ts';

/** A top-level box of a segment, of which the end may be missing. */
interface SegmentBox {
  readonly type: string;
  readonly from: number;
  readonly bodyFrom: number;
  readonly end: number;
}

/**
 * Returns the frames of the first video of a fragmented segment, in decoding order, as far as the segment was read.
 *
 * @param bytes - the initialization section, followed by the segment.
 * @returns undefined if there is no video, or it cannot be read.
 */
export function readFragmentFrames(bytes: Buffer): SegmentFrame[] | undefined {
  return undefinedIfDeclined(() => {
    const boxes = readSegmentBoxes(bytes);
    const moov = boxes.find(({ type }) => type === 'moov');
    if (moov === undefined) return undefined;
    const movie = readMovieBoxes(bytes.subarray(moov.bodyFrom, moov.end));
    const track = movie.tracks.find(({ kind }) => kind === 'video');
    if (track === undefined) return undefined;
    const samples = readSamples(bytes, boxes, track, movie.boxes);
    return samples && framesOf(bytes, track, samples);
  });
}

/** Returns the complete boxes at the beginning of a segment, and an incomplete `mdat`. */
export function readSegmentBoxes(bytes: Buffer): SegmentBox[] {
  const boxes: SegmentBox[] = [];
  for (let from = 0; from + 16 <= bytes.length; ) {
    const short = bytes.readUInt32BE(from);
    const type = bytes.toString('latin1', from + 4, from + 8);
    const size = short === 1 ? Number(bytes.readBigUInt64BE(from + 8)) : short === 0 ? bytes.length - from : short;
    const end = from + size;
    if (size < 8 || (end > bytes.length && type !== 'mdat')) break;
    boxes.push({ type, from, bodyFrom: from + (short === 1 ? 16 : 8), end });
    from = end;
  }
  return boxes;
}

function readSamples(
  bytes: Buffer,
  boxes: readonly SegmentBox[],
  { id, timescale }: TrackBoxes,
  movieBoxes: readonly Box[],
): SampleList | undefined {
  const defaults = readDefaults(childBoxes(optionalBox(movieBoxes, 'mvex') ?? Buffer.alloc(0))).get(id);
  if (defaults === undefined) return undefined;
  const samples = new SampleList(maxSamples);
  const tracks = new Map([[id, { defaults, allSync: false, timescale, samples }]]);
  for (const { from, bodyFrom, end } of boxes.filter(({ type }) => type === 'moof')) {
    const place = { offset: from, positionShift: 0, from, to: Number.POSITIVE_INFINITY };
    readFragment(bytes.subarray(bodyFrom, end), place, tracks);
  }
  return samples;
}

/** Returns the frames of samples. The first bytes of a frame tell whether decoding can begin there. */
function framesOf(bytes: Buffer, { table, timescale }: TrackBoxes, samples: SampleList): SegmentFrame[] | undefined {
  const description = table.find(({ type }) => type === 'stsd');
  if (description === undefined) return undefined;
  const { codec } = readSampleEntry(description.body, 'vide');
  const config = readDecoderConfig(description.bytes);
  const frames: SegmentFrame[] = [];
  let ticks = 0;
  for (let at = 0; at < samples.count; at += 1) {
    const [offset = 0, size = 0] = [samples.offsets[at], samples.sizes[at]];
    const time = ticks + (samples.compositions[at] ?? 0) - (samples.compositions[0] ?? 0);
    const isSync = samples.sync[at] === 1;
    const tells = isSync ? beginsDecoding(codec, config, bytes.subarray(offset, offset + size)) : false;
    frames.push({ seconds: time / timescale, isKey: tells ?? isSync, hasParameterSets: true });
    ticks += samples.durations[at] ?? 0;
  }
  return frames;
}

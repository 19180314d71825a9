import type { Steps } from '../../../waiting/steps.ts';
import { FastPathDeclined } from '../../engine/binary/fast-path-declined.ts';
import { beginsDecoding } from '../../engine/formats/key-frames.ts';
import { type Box, optionalBox } from '../../engine/mp4/box-reader.ts';
import { readDefaults, readFragment } from '../../engine/mp4/fragment-reader.ts';
import { readDecoderConfig, readSampleEntry } from '../../engine/mp4/sample-entry.ts';
import { SampleList } from '../../engine/mp4/sample-list.ts';
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

/** Maximum number of boxes of a segment, and of bytes of a `moof` box: a fragment of ten seconds has 10 kB. */
const maxBoxes = 16_384;
const maxFragmentBytes = 512 * 1024;
/** Maximum number of frames: half an hour at 50 frames per second. */
const maxFrames = 100_000;
/** Maximum number of frames whose bytes are read, and of the bytes of each: those of a frame's header, and more. */
const maxReadFrames = 1000;
const maxFrameBytes = 128 * 1024;
/** Number of frames in one step, if their bytes are not read. */
const framesPerStep = 8192;

/**
 * Returns the frames of the first video of a fragmented segment, in decoding order, as far as the segment was read.
 *
 * @param bytes - the initialization section, followed by the segment.
 * @returns undefined if there is no video, or it cannot be read.
 */
export function* readFragmentFrames(bytes: Buffer): Steps<SegmentFrame[] | undefined> {
  try {
    const boxes = readSegmentBoxes(bytes);
    yield undefined;
    const moov = boxes.find(({ type }) => type === 'moov');
    if (moov === undefined) return undefined;
    const movie = readMovieBoxes(bytes.subarray(moov.bodyFrom, moov.end));
    const track = movie.tracks.find(({ kind }) => kind === 'video');
    if (track === undefined) return undefined;
    const samples = yield* readSamples(bytes, boxes, track, movie.boxes);
    return samples && (yield* framesOf(bytes, track, samples));
  } catch (error) {
    if (error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}

/** Returns the complete boxes at the beginning of a segment, and an incomplete `mdat`. */
export function readSegmentBoxes(bytes: Buffer): SegmentBox[] {
  const boxes: SegmentBox[] = [];
  for (let from = 0; from + 16 <= bytes.length && boxes.length < maxBoxes; ) {
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

function* readSamples(
  bytes: Buffer,
  boxes: readonly SegmentBox[],
  { id, timescale }: TrackBoxes,
  movieBoxes: readonly Box[],
): Steps<SampleList | undefined> {
  const defaults = readDefaults(childBoxes(optionalBox(movieBoxes, 'mvex') ?? Buffer.alloc(0))).get(id);
  if (defaults === undefined) return undefined;
  const samples = new SampleList(maxFrames);
  const tracks = new Map([[id, { defaults, allSync: false, timescale, samples }]]);
  for (const { from, bodyFrom, end } of boxes.filter(({ type }) => type === 'moof')) {
    if (end - bodyFrom > maxFragmentBytes) return undefined;
    yield undefined;
    const place = { offset: from, positionShift: 0, from, to: Number.POSITIVE_INFINITY };
    readFragment(bytes.subarray(bodyFrom, end), place, tracks);
  }
  return samples;
}

/** Returns the frames of samples. The first bytes of a frame tell whether decoding can begin there. */
function* framesOf(
  bytes: Buffer,
  { table, timescale }: TrackBoxes,
  samples: SampleList,
): Steps<SegmentFrame[] | undefined> {
  const description = table.find(({ type }) => type === 'stsd');
  if (description === undefined) return undefined;
  const { codec } = readSampleEntry(description.body, 'vide');
  const config = readDecoderConfig(description.bytes);
  const frames: SegmentFrame[] = [];
  let [ticks, read] = [0, 0];
  for (let at = 0; at < samples.count; at += 1) {
    const [offset = 0, size = 0] = [samples.offsets[at], samples.sizes[at]];
    const time = ticks + (samples.compositions[at] ?? 0) - (samples.compositions[0] ?? 0);
    const isSync = samples.sync[at] === 1;
    if (isSync) read += 1;
    if (read > maxReadFrames) return undefined;
    if (isSync || at % framesPerStep === 0) yield undefined;
    const frame = bytes.subarray(offset, offset + Math.min(size, maxFrameBytes));
    const tells = isSync ? beginsDecoding(codec, config, frame) : false;
    frames.push({ seconds: time / timescale, isKey: tells ?? isSync, hasParameterSets: true });
    ticks += samples.durations[at] ?? 0;
  }
  return frames;
}

import type { OutputNote } from '../../../../contract/output-notes.ts';
import { decline, FastPathDeclined, withInputNumber } from '../../binary/fast-path-declined.ts';
import type { FragmentedHead, ProcessTask } from '../../tasks/task.ts';
import { readBoxBody, readHeadBoxes } from '../box-reader.ts';
import { type MovieHead, readMovieHead, requireNotQuickTime, SampleReader } from '../movie-reader.ts';
import { fileTypeBox, type Mp4Container } from '../movie-writer.ts';
import { containerOf, planMp4Tracks } from '../plan-tracks.ts';
import { hasSamples } from '../sample-table-reader.ts';
import { readSegmentIndex, type SegmentIndex, type SegmentReference } from '../segment-index.ts';

/** Frames a second that are reckoned with where no fragment tells. */
const defaultSamplesPerSecond = { video: 60, audio: 100 } as const;
/** Bytes that a sample takes in an index that has no long runs of equal values. */
const sampleBytes = { video: 16, audio: 6 } as const;
/** Room for what a fragment takes in an index, and for the boxes around all tables. */
const fragmentBytes = 24;
const boxOverheadBytes = 4096;
/** Bytes that may be reserved: the index of a film of ten hours has a third of that. */
const maxReservedBytes = 64 * 1024 * 1024;
/**
 * Fragments of one input, and samples of its first one, at most: ten hours in fragments of five seconds have 7200. The
 * service itself reads heads, and a hostile one must not hold it up.
 */
const maxReferences = 10_000;
const maxFirstSamples = 10_000;
/** By how much the rest of a track may have more samples a second than its first fragment. */
const rateMargin = 1.3;
/** Bytes behind the last fragment that the index does not speak of, but the file's own list of fragments may take. */
const tailBytes = 1024;
const tailBytesPerFragment = 64;

/** Bytes of a source, and where they go in the result. */
interface PlacedRange {
  /** Place of the input among the inputs. */
  readonly input: number;
  /** Position of the first and of the last byte in the source. */
  readonly from: number;
  readonly to: number;
  /** Position of the first byte in the result. */
  readonly destination: number;
}

/** An input of a placement. */
interface PlacedInput {
  readonly movie: MovieHead;
  readonly index: SegmentIndex;
  /** What stands before its first fragment. */
  readonly head: Buffer;
}

/** Where the fragments of all inputs go in the result. */
export interface Placement {
  readonly container: Mp4Container;
  readonly inputs: readonly PlacedInput[];
  /** Every fragment, in the order of the result; those of one input follow each other in its source without a gap. */
  readonly ranges: readonly PlacedRange[];
  /** Bytes before the first fragment, for what is only known when all have arrived. */
  readonly reservedBytes: number;
  /** Bytes of the result. */
  readonly bytes: number;
  /** Places of the inputs in the order of the result's tracks. */
  readonly order: readonly number[];
  /** What was left out or changed. */
  readonly notes: readonly OutputNote[];
}

/**
 * Plans a result whose media is fetched straight to its place: from the heads of DASH files, each with one track and
 * one index of all fragments, it follows where every fragment is and when it is needed. The indexes inside the fragments
 * stay where they are; `finishPlacement` reads them and writes the result's own in front.
 *
 * @returns The plan, or in words why the files have to be fetched whole.
 */
export function placeFragments(
  heads: readonly FragmentedHead[],
  operation: ProcessTask['operation'],
  ext: string,
): { readonly placement: Placement } | { readonly declined: string } {
  try {
    const container = containerOf({ operation, output: { path: '', ext } });
    return { placement: computePlacement(heads, operation, container) };
  } catch (error) {
    if (error instanceof FastPathDeclined) return { declined: error.message };
    throw error;
  }
}

function computePlacement(
  heads: readonly FragmentedHead[],
  operation: ProcessTask['operation'],
  container: Mp4Container,
): Placement {
  const inputs = heads.map((head, at) => withInputNumber(at, () => readHead(head)));
  const movies = inputs.map(({ movie }) => movie);
  const { tracks, notes } = planMp4Tracks(movies, operation, container);
  const order = tracks.flatMap(({ sources }) => sources.map(({ input }) => input));
  if (order.length !== inputs.length) decline('not every input is part of the result');
  const codecs = movies.flatMap((movie) => movie.tracks.map(({ codec }) => codec));
  const indexBytes = inputs.map((input, at) =>
    withInputNumber(at, () => estimateIndexBytes(input, heads[at]?.head ?? input.head)),
  );
  // Behind the index: the largest head that a box of media can have.
  const reservedBytes =
    fileTypeBox(container, codecs).length + boxOverheadBytes + indexBytes.reduce((sum, bytes) => sum + bytes, 0) + 16;
  if (reservedBytes > maxReservedBytes) decline('its index promises to play for too long');
  const ranges = interleave(
    inputs.map(({ index }) => index.references),
    reservedBytes,
  );
  const last = ranges.at(-1);
  const bytes = last === undefined ? reservedBytes : last.destination + last.to - last.from + 1;
  return { container, inputs, ranges, reservedBytes, bytes, order, notes };
}

function readHead({ head, size }: FragmentedHead): PlacedInput {
  const source = {
    size: head.length,
    read: (offset: number, length: number) => head.subarray(offset, offset + length),
  };
  const boxes = readHeadBoxes(head, size);
  const find = (type: string) => {
    const [box, ...others] = boxes.filter((one) => one.type === type);
    if (box === undefined || others.length > 0) decline(`its head does not hold one ${type} box`);
    return { box, body: readBoxBody(source, box, head.length) };
  };
  requireNotQuickTime(find('ftyp').body);
  const movie = readMovieHead(find('moov').body);
  if (movie.defaults === undefined || movie.tracks.length !== 1) decline('it is no DASH file of one track');
  // Samples that the index lists itself would be told at places in the source.
  const [track] = movie.tracks;
  if (track === undefined || hasSamples(track.table)) decline('not all of it is fragments');
  const { box, body } = find('sidx');
  const index = readSegmentIndex(body, box.end);
  const { references } = index;
  const [first, last] = [references[0], references.at(-1)];
  if (first === undefined || last === undefined || !index.flat) decline('its index does not list fragments');
  if (references.length > maxReferences) decline('it has too many fragments');
  if (first.from > head.length) decline('its index is longer than the part of it that is known');
  const tail = size - last.to;
  if (tail < 0 || tail > tailBytes + tailBytesPerFragment * references.length) {
    decline('its index does not cover the file');
  }
  if (references.some(({ from, to }) => to <= from)) decline('one of its fragments is empty');
  return { movie, index, head: head.subarray(0, first.from) };
}

/** Bytes that a track will take in the index, generously. */
function estimateIndexBytes({ movie, index }: PlacedInput, head: Buffer): number {
  const [track] = movie.tracks;
  if (track === undefined) return 0;
  const seconds = index.references.reduce((sum, { duration }) => sum + duration, 0);
  const rate = firstFragmentRate(movie, index, head) ?? defaultSamplesPerSecond[track.kind];
  const samples = Math.ceil(seconds * rate * rateMargin);
  return track.description.length + samples * sampleBytes[track.kind] + index.references.length * fragmentBytes;
}

/** Samples a second of the first fragment, where the head has its index. */
function firstFragmentRate(movie: MovieHead, { references }: SegmentIndex, head: Buffer): number | undefined {
  const [first] = references;
  const [track] = movie.tracks;
  if (first === undefined || track === undefined || !(first.duration > 0)) return undefined;
  const source = { size: first.to, read: (offset: number, length: number) => head.subarray(offset, offset + length) };
  const moof = readHeadBoxes(head.subarray(first.from, first.to), first.to - first.from).find(
    ({ type }) => type === 'moof',
  );
  if (moof === undefined) return undefined;
  const box = { ...moof, offset: moof.offset + first.from, end: moof.end + first.from };
  const reader = new SampleReader(movie, movie.tracks, maxFirstSamples);
  reader.addFragment(source, box, { positionShift: 0, from: first.from, to: first.to });
  return reader.finish(track, first.to).count / first.duration;
}

/** Puts fragments behind each other in the order in which they are needed. */
function interleave(inputs: readonly (readonly SegmentReference[])[], begin: number): PlacedRange[] {
  const timedRanges = inputs.flatMap((references, input) => {
    let time = 0;
    return references.map(({ from, to, duration }) => {
      const start = time;
      time += duration;
      return { input, from, to: to - 1, start };
    });
  });
  let destination = begin;
  return timedRanges
    .sort((a, b) => a.start - b.start)
    .map(({ input, from, to }) => {
      const range = { input, from, to, destination };
      destination += to - from + 1;
      return range;
    });
}

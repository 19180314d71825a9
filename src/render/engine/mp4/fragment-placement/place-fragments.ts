import type { OutputNote } from '../../../../contract/output-notes.ts';
import { decline, FastPathDeclined, withInputNumber } from '../../binary/fast-path-declined.ts';
import { type Additions, noAdditions, type RequestedAdditions } from '../../tasks/additions.ts';
import type { FragmentedHead, ProcessTask } from '../../tasks/task.ts';
import { maxAdditionBytes } from '../additions/additions-in-index.ts';
import { readBoxBody, readHeadBoxes } from '../box-reader.ts';
import { type MovieHead, readMovieHead, requireNotQuickTime, SampleReader } from '../movie-reader.ts';
import { fileTypeBox, type Mp4Container } from '../movie-writer.ts';
import { containerOf, planMp4Tracks } from '../plan-tracks.ts';
import { hasSamples } from '../sample-table-reader.ts';
import { readSegmentIndex, type SegmentIndex, type SegmentReference } from '../segment-index.ts';
import { withLanguage } from '../track-language.ts';

/** Assumed number of samples per second if no fragment gives the rate. */
const defaultSamplesPerSecond = { video: 60, audio: 100 } as const;
/** Bytes per sample in an index without long runs of equal values. */
const sampleBytes = { video: 16, audio: 6 } as const;
/** Bytes per fragment in an index, including its portion of the boxes around all tables. */
const fragmentBytes = 24;
const boxOverheadBytes = 4096;
/** Maximum number of reserved bytes. The index of a ten-hour film needs a third of this. */
const maxReservedBytes = 64 * 1024 * 1024;
/**
 * Maximum number of fragments of one input, and of samples in its first fragment. Ten hours of five-second fragments
 * are 7200 fragments. The service process itself reads heads, so a hostile head must not block it.
 */
const maxReferences = 10_000;
const maxFirstSamples = 10_000;
/** Factor by which the rest of a track may have more samples per second than its first fragment. */
const rateMargin = 1.3;
/**
 * Maximum number of bytes after the last fragment that is in the index. A file may have its own list of fragments
 * there.
 */
const tailBytes = 1024;
const tailBytesPerFragment = 64;

/** A byte range of a source and its destination in the result. */
interface PlacedRange {
  /** Index of the input among the inputs. */
  readonly input: number;
  /** Offset of the first and of the last byte in the source. */
  readonly from: number;
  readonly to: number;
  /** Offset of the first byte in the result. */
  readonly destination: number;
}

/** An input of a placement. */
interface PlacedInput {
  readonly movie: MovieHead;
  readonly index: SegmentIndex;
  /** Bytes before its first fragment. */
  readonly head: Buffer;
}

/** The destinations of the fragments of all inputs in the result. */
export interface Placement {
  readonly container: Mp4Container;
  readonly inputs: readonly PlacedInput[];
  /** Every fragment, in the order of the result. The fragments of one input are contiguous in its source. */
  readonly ranges: readonly PlacedRange[];
  /** Bytes reserved before the first fragment, for the index that is only known when all fragments have arrived. */
  readonly reservedBytes: number;
  /** Size of the result in bytes. */
  readonly bytes: number;
  /** Indexes of the inputs, in the order of the result's tracks. */
  readonly order: readonly number[];
  /** Parts that were left out or changed. */
  readonly notes: readonly OutputNote[];
  readonly additions: Additions;
}

/**
 * Plans a result whose media is fetched directly to its final offset. The inputs are DASH files, each with one track
 * and one index of all fragments, so their heads show where every fragment is and when it is needed. The indexes inside
 * the fragments stay in place; `finishPlacement` reads them and writes the index of the result at the beginning.
 *
 * @param additions - what the job adds, for which space is reserved.
 * @returns The placement, or the reason why the files must be fetched whole.
 */
export function placeFragments(
  heads: readonly FragmentedHead[],
  operation: ProcessTask['operation'],
  ext: string,
  additions: RequestedAdditions = noAdditions,
): { readonly placement: Placement } | { readonly declined: string } {
  try {
    const container = containerOf({ operation, output: { path: '', ext } });
    return { placement: computePlacement(heads, operation, container, additions) };
  } catch (error) {
    if (error instanceof FastPathDeclined) return { declined: error.message };
    throw error;
  }
}

function computePlacement(
  heads: readonly FragmentedHead[],
  operation: ProcessTask['operation'],
  container: Mp4Container,
  requested: RequestedAdditions,
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
  const additions = { chapters: [], ...requested };
  // The last 16 bytes are for the largest header that a media box can have.
  const reservedBytes =
    fileTypeBox(container, codecs).length +
    boxOverheadBytes +
    indexBytes.reduce((sum, bytes) => sum + bytes, 0) +
    maxAdditionBytes(additions, inputs.length) +
    16;
  if (reservedBytes > maxReservedBytes) decline('its declared duration is too long');
  const ranges = interleave(
    inputs.map(({ index }) => index.references),
    reservedBytes,
  );
  const last = ranges.at(-1);
  const bytes = last === undefined ? reservedBytes : last.destination + last.to - last.from + 1;
  return { container, inputs, ranges, reservedBytes, bytes, order, notes, additions };
}

function readHead({ head, size, language }: FragmentedHead): PlacedInput {
  const source = {
    size: head.length,
    read: (offset: number, length: number) => head.subarray(offset, offset + length),
  };
  const boxes = readHeadBoxes(head, size);
  const find = (type: string) => {
    const [box, ...others] = boxes.filter((one) => one.type === type);
    if (box === undefined || others.length > 0) decline(`its head does not contain exactly one ${type} box`);
    return { box, body: readBoxBody(source, box, head.length) };
  };
  requireNotQuickTime(find('ftyp').body);
  const movie = readMovieHead(find('moov').body);
  if (movie.defaults === undefined || movie.tracks.length !== 1) decline('it is not a DASH file with one track');
  // Offsets of samples that the index itself lists would still refer to the source, not to the result.
  const [track] = movie.tracks;
  if (track === undefined || hasSamples(track.table)) decline('some of its samples are not in fragments');
  const { box, body } = find('sidx');
  const index = readSegmentIndex(body, box.end);
  const { references } = index;
  const [first, last] = [references[0], references.at(-1)];
  if (first === undefined || last === undefined || !index.flat) decline('its index does not list fragments');
  if (references.length > maxReferences) decline('it has too many fragments');
  if (first.from > head.length) decline('its index is longer than its fetched head');
  const tail = size - last.to;
  if (tail < 0 || tail > tailBytes + tailBytesPerFragment * references.length) {
    decline('its index does not cover the file');
  }
  if (references.some(({ from, to }) => to <= from)) decline('one of its fragments is empty');
  const tracks = movie.tracks.map((one) => withLanguage(one, language));
  return { movie: { ...movie, tracks }, index, head: head.subarray(0, first.from) };
}

/** Estimates how many bytes a track takes in the index, rounded up generously. */
function estimateIndexBytes({ movie, index }: PlacedInput, head: Buffer): number {
  const [track] = movie.tracks;
  if (track === undefined) return 0;
  const seconds = index.references.reduce((sum, { duration }) => sum + duration, 0);
  const rate = firstFragmentRate(movie, index, head) ?? defaultSamplesPerSecond[track.kind];
  const samples = Math.ceil(seconds * rate * rateMargin);
  return track.description.length + samples * sampleBytes[track.kind] + index.references.length * fragmentBytes;
}

/** Returns the samples per second of the first fragment, if the head contains its index. */
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

/** Orders fragments by the time at which they are needed. */
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

import { MillraceError } from '../../../contract/errors.ts';
import { listSegments, type PlaylistSegment, type PlaylistSegments } from '../tasks/playlist-segments.ts';
import type { StreamChunkTimes } from './chunk-times.ts';

/** The segments of a file, with their times and bytes. */
interface SegmentedFile {
  readonly playlist: PlaylistSegments;
  /** End of each chunk in the file, in bytes. */
  readonly ends: readonly number[];
  /** When each stream plays in each chunk, by the timestamps in the file, before clock jumps are removed. */
  readonly streams: readonly StreamChunkTimes[];
  /** Returns a digest of a range of the file, in bytes. */
  readonly digestOf: (from: number, to: number) => string;
  /** Index of the job's input. */
  readonly jobInput: number;
}

/** Two segments of which the second, in playlist order, should not be where it is. */
type Misplaced = readonly [first: PlaylistSegment, second: PlaylistSegment];

/**
 * Maximum time between the end of a stream's segment and the start of the next one on the same clock, in seconds: a few
 * frames.
 */
const seam = 0.2;

/**
 * Refuses segments that a server sent twice or in another order. Their clock goes back, but so does one that restarted
 * without a discontinuity tag, which is no fault of the media. These differ:
 *
 * - A repeated segment has the bytes and timestamps of an earlier one, although the playlist lists another address.
 * - After a restart, the media does not lead up to the exact time at which earlier media began. If segments are in another
 *   order, one of them does.
 *
 * @throws MillraceError `input_incomplete`, because other segments are missing instead.
 */
export function verifySegmentOrder(file: SegmentedFile): void {
  const { playlist, streams, jobInput } = file;
  const segments = listSegments(playlist).filter(({ chunk }) => streams.some(({ timeRanges }) => timeRanges[chunk]));
  const fail = ({ number }: PlaylistSegment, fault: string) => {
    const name = `Segment ${number} of ${playlist.inAll} of input ${jobInput + 1}`;
    return new MillraceError('input_incomplete', `${name} ${fault}. Start the job again.`);
  };
  const repeated = findRepeated(file, segments);
  if (repeated !== undefined) {
    const [first, second] = repeated;
    throw fail(second, `holds the same media as segment ${first.number}, although the playlist lists another address`);
  }
  const reordered = findReordered(streams, segments);
  if (reordered === undefined) return;
  const [first, second] = reordered;
  throw fail(second, `is out of order: its media comes directly before that of segment ${first.number}`);
}

/** Finds a segment with the bytes of an earlier one. Only those that could be equal are read. */
function findRepeated(
  { playlist, ends, streams, digestOf }: SegmentedFile,
  segments: readonly PlaylistSegment[],
): Misplaced | undefined {
  const relisted = new Set(playlist.relisted);
  const boundsOf = ({ chunk }: PlaylistSegment) => [ends[chunk - 1] ?? 0, ends[chunk] ?? 0] as const;
  const candidates = Map.groupBy(
    segments.filter(({ chunk }) => !relisted.has(chunk)),
    (segment) => {
      const [from, to] = boundsOf(segment);
      const timed = streams.find(({ timeRanges }) => timeRanges[segment.chunk]);
      return `${to - from} bytes at ${timed?.timeRanges[segment.chunk]?.first}`;
    },
  );
  for (const group of candidates.values()) {
    if (group.length < 2) continue;
    const earlier = new Map<string, PlaylistSegment>();
    for (const segment of group) {
      const digest = digestOf(...boundsOf(segment));
      const first = earlier.get(digest);
      if (first !== undefined) return [first, segment];
      earlier.set(digest, segment);
    }
  }
  return undefined;
}

/** Finds a segment whose media leads up to the time at which an earlier segment began after a jump of the clock. */
function findReordered(
  streams: readonly StreamChunkTimes[],
  segments: readonly PlaylistSegment[],
): Misplaced | undefined {
  /** The segments at which the clock jumped, by the time at which each stream begins there, in seams. */
  const starts = streams.map(() => new Map<number, PlaylistSegment>());
  let start = segments[0];
  for (const [at, segment] of segments.entries()) {
    const next = segments[at + 1];
    if (start === undefined || (next !== undefined && continues(streams, segment, next))) continue;
    for (const [index, { timeRanges }] of streams.entries()) {
      const [range, startRange] = [timeRanges[segment.chunk], timeRanges[start.chunk]];
      const earlier = range && segmentNear(starts[index], range.end);
      if (earlier !== undefined) return [earlier, segment];
      if (startRange !== undefined) starts[index]?.set(Math.round(startRange.first / seam), start);
    }
    start = next;
  }
  return undefined;
}

/** Returns whether the clock did not jump between two segments. */
function continues(streams: readonly StreamChunkTimes[], one: PlaylistSegment, next: PlaylistSegment): boolean {
  return streams.some(({ timeRanges }) => {
    const [before, after] = [timeRanges[one.chunk], timeRanges[next.chunk]];
    return before !== undefined && after !== undefined && Math.abs(after.first - before.end) <= seam;
  });
}

/** Returns the segment of an index by time in seams that begins about as many seconds after zero. */
function segmentNear(
  index: ReadonlyMap<number, PlaylistSegment> | undefined,
  seconds: number,
): PlaylistSegment | undefined {
  const step = Math.round(seconds / seam);
  return index?.get(step) ?? index?.get(step - 1) ?? index?.get(step + 1);
}

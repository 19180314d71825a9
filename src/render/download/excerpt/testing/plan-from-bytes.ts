import type { Clip } from '../../../../contract/clip.ts';
import { readIndex } from '../find-index.ts';
import type { Excerpt, IndexReading, MediaIndex } from '../media-index.ts';
import { moveFragments } from '../move-fragments.ts';

/** An excerpt that was planned from a file in memory. */
interface PlannedFile {
  readonly index: MediaIndex;
  readonly excerpt: Excerpt;
  /** The excerpt's file. */
  readonly file: Buffer;
  /** First timestamp of the excerpt, in seconds from the beginning of the source. */
  readonly start: number;
  /** Number of bytes that were read for the index. */
  readonly indexBytes: number;
}

/** Plans the excerpt of a file in memory. Throws for a plan outside the file. */
export function planFromBytes(source: Buffer, clip: Clip): PlannedFile {
  const read = (from: number, end: number) => {
    requireWithin(source, from, end);
    return source.subarray(from, end);
  };
  const counts = { indexBytes: 0, pauses: 0 };
  const { index, excerpt } = planWith(read, source.length, clip, counts);
  const parts = excerpt.parts.map((part) => (Buffer.isBuffer(part) ? part : read(part.from, part.end)));
  const file = Buffer.concat(parts);
  const lastPart = excerpt.parts.at(-1);
  const mediaPosition = file.length - (parts.at(-1)?.length ?? 0);
  if (excerpt.hasFragments === true && lastPart !== undefined && !Buffer.isBuffer(lastPart)) {
    const reading = moveFragments(mediaPosition, file.length, mediaPosition - lastPart.from);
    for (const { position, bytes } of runReading(reading, (from, end) => file.subarray(from, end))) {
      bytes.copy(file, position);
    }
  }
  const measured = excerpt.measureStart?.(file.subarray(mediaPosition)) ?? excerpt.start;
  return { index, excerpt, file, start: measured - index.start, indexBytes: counts.indexBytes };
}

/** Counts of a planning. They are also complete if it is declined. */
interface PlanningCounts {
  /** Number of bytes that were read for the index. */
  indexBytes: number;
  /** How often it paused. */
  pauses: number;
}

/**
 * Plans the excerpt of a file that need not be in memory.
 *
 * @param read - reads a part of the file.
 * @param size - size of the file in bytes.
 */
export function planWith(
  read: (from: number, end: number) => Buffer,
  size: number,
  clip: Clip,
  counts: PlanningCounts,
): { readonly index: MediaIndex; readonly excerpt: Excerpt } {
  const readCounted = (from: number, end: number) => {
    counts.indexBytes += end - from;
    return read(from, end);
  };
  const run = <Result>(reading: IndexReading<Result>) => runReading(reading, readCounted, counts);
  const index = run(readIndex(size, clip));
  return { index, excerpt: run(index.planExcerpt(clip)) };
}

function runReading<Result>(
  reading: IndexReading<Result>,
  read: (from: number, end: number) => Buffer,
  counts = { pauses: 0 },
): Result {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const step = reading.next(bytes);
    if (step.done === true) return step.value;
    if (step.value === undefined || 'memory' in step.value) counts.pauses += 1;
    else bytes = read(step.value.from, step.value.end);
  }
}

function requireWithin({ length }: Buffer, from: number, end: number): void {
  if (!(from >= 0 && from < end && end <= length)) throw new Error(`bytes ${from} to ${end} are outside the file`);
}

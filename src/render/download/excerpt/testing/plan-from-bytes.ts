import type { Clip } from '../../../../contract/clip.ts';
import { readIndex } from '../find-index.ts';
import type { Excerpt, MediaIndex } from '../media-index.ts';

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
  const reading = readIndex(source.length, clip);
  let indexBytes = 0;
  let step = reading.next();
  while (step.done !== true) {
    const { from, end } = step.value;
    requireWithin(source, from, end);
    indexBytes += end - from;
    step = reading.next(source.subarray(from, end));
  }
  const index = step.value;
  const excerpt = index.planExcerpt(clip);
  const parts = excerpt.parts.map((part) => {
    if (Buffer.isBuffer(part)) return part;
    requireWithin(source, part.from, part.end);
    return source.subarray(part.from, part.end);
  });
  const measured = excerpt.measureStart?.(parts.at(-1) ?? Buffer.alloc(0)) ?? excerpt.start;
  return { index, excerpt, file: Buffer.concat(parts), start: measured - index.start, indexBytes };
}

function requireWithin({ length }: Buffer, from: number, end: number): void {
  if (!(from >= 0 && from < end && end <= length)) throw new Error(`bytes ${from} to ${end} are outside the file`);
}

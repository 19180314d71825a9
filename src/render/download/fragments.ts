import type { FileHandle } from 'node:fs/promises';
import type { JobInput } from '../../contract/job.ts';
import type { Placement } from '../engine/mp4/place-fragments.ts';
import { type FragmentedHead, headBounds } from '../engine/tasks/task.ts';
import type { Arrivals } from './arrivals.ts';
import { chunkSizeFor, split } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import type { ByteWriter } from './file-writer.ts';
import { createScatterWriter } from './scatter-writer.ts';
import { type ByteRange, type LastingHead, lastingHead, type PartHead, type Source } from './source.ts';
import { gapsIn, type Span } from './spans.ts';
import { createTaskGroup } from './task-group.ts';

/** The inputs have to be fetched whole, for a reason in words. */
export class NotPlaced extends Error {
  override readonly name = 'NotPlaced';
}

/** An input whose beginning is known. */
export interface Opening {
  readonly opening: FragmentedHead;
  readonly head: LastingHead | undefined;
}

/**
 * Fetches the beginning of a file.
 *
 * @throws NotPlaced when the source has no ranges.
 */
export async function fetchOpening(source: Source, arrivals: Arrivals): Promise<Opening> {
  const pieces: Buffer[] = [];
  let size = 0;
  let lasting: LastingHead | undefined;
  const range = { from: 0, to: headBounds.bytes - 1, opening: true };
  const judge = (head: PartHead) => {
    const { ranges, total, coding } = head;
    if (!ranges || total === undefined || coding !== undefined) throw new NotPlaced(`${source.name} has no ranges`);
    size = total;
    lasting = lastingHead(head);
  };
  const taker: ByteWriter = {
    write(_position, piece) {
      pieces.push(Buffer.from(piece));
      return undefined;
    },
    flush: async () => undefined,
    finish: async () => undefined,
  };
  await fetchPart(source, range, taker, arrivals.watch(range, judge));
  return { opening: { head: Buffer.concat(pieces), size }, head: lasting };
}

/** Where the fragments of an input go. */
export interface Destination {
  readonly file: FileHandle;
  readonly ranges: Placement['ranges'];
  /** What need not be fetched. */
  readonly there: readonly Span[];
  readonly onWritten: ((span: Span) => void) | undefined;
}

/** Puts what the head holds of the fragments in its place, and fetches the rest, several chunks at a time. */
export async function fetchFragments(
  source: Source,
  { chunks }: JobInput,
  { head }: FragmentedHead,
  arrivals: Arrivals,
  { file, ranges, there, onWritten }: Destination,
): Promise<void> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return;
  const end = last.to + 1;
  if (first.from < head.length) {
    const writer = createScatterWriter(file, ranges);
    await writer.write(first.from, head.subarray(first.from, Math.min(head.length, end)));
    await writer.finish();
  }
  const size = chunks.size ?? chunkSizeFor(end, chunks.concurrency);
  const gaps = gapsIn({ from: Math.max(first.from, head.length), end }, there);
  const waiting: ByteRange[] = gaps.flatMap((gap) => split(gap, size));
  const group = createTaskGroup(source.signal);
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const own = { ...source, signal: group.signal };
      await fetchPart(own, part, createScatterWriter(file, ranges, onWritten), arrivals.watch(part));
    }
  };
  for (let worker = 0; worker < chunks.concurrency; worker += 1) group.run(work);
  await group.done();
}

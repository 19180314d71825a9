import type { FileHandle } from 'node:fs/promises';
import type { JobInput } from '../../contract/job.ts';
import type { ArrivedRanges } from './arrived-ranges.ts';
import { type ByteRange, gapsIn } from './byte-ranges.ts';
import { chunkSizeFor, split } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import type { ByteWriter } from './file-writer.ts';
import type { FragmentedFileHead } from './fragment-placer.ts';
import { createScatterWriter, type ScatteredRange } from './scatter-writer.ts';
import { type LastingHead, lastingHead, type PartHead, type RangeRequest, type Source } from './source.ts';
import { createTaskGroup } from './task-group.ts';

/** The inputs have to be fetched whole, for a reason in words. */
export class NotPlaced extends Error {
  override readonly name = 'NotPlaced';
}

/** The beginning of an input. */
export interface Opening {
  readonly opening: FragmentedFileHead;
  readonly head: LastingHead | undefined;
}

/**
 * Fetches the first `bytes` bytes of a file.
 *
 * @throws NotPlaced when the source has no ranges.
 */
export async function fetchOpening(source: Source, arrived: ArrivedRanges, bytes: number): Promise<Opening> {
  const chunks: Buffer[] = [];
  let size = 0;
  let lasting: LastingHead | undefined;
  const range = { from: 0, to: bytes - 1, opening: true };
  const accept = (head: PartHead) => {
    const { ranges, total, coding } = head;
    if (!ranges || total === undefined || coding !== undefined) throw new NotPlaced(`${source.name} has no ranges`);
    size = total;
    lasting = lastingHead(head);
  };
  const collector: ByteWriter = {
    write(_position, chunk) {
      chunks.push(Buffer.from(chunk));
      return undefined;
    },
    flush: async () => undefined,
    finish: async () => undefined,
  };
  await fetchPart(source, range, collector, arrived.watch(range, accept));
  return { opening: { head: Buffer.concat(chunks), size }, head: lasting };
}

/** Where the fragments of an input go. */
export interface Destination {
  readonly file: FileHandle;
  readonly ranges: readonly ScatteredRange[];
  /** Ranges of the input that a former run has stored. */
  readonly stored: readonly ByteRange[];
  readonly onWritten: ((range: ByteRange) => void) | undefined;
}

/** Writes the fragments that the head holds to their place, and fetches the rest, several chunks at a time. */
export async function fetchFragments(
  source: Source,
  { chunks }: JobInput,
  { head }: FragmentedFileHead,
  arrived: ArrivedRanges,
  { file, ranges, stored, onWritten }: Destination,
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
  const gaps = gapsIn({ from: Math.max(first.from, head.length), end }, stored);
  const waiting: RangeRequest[] = gaps.flatMap((gap) => split(gap, size));
  const group = createTaskGroup(source.signal);
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const own = { ...source, signal: group.signal };
      await fetchPart(own, part, createScatterWriter(file, ranges, onWritten), arrived.watch(part));
    }
  };
  for (let worker = 0; worker < chunks.concurrency; worker += 1) group.run(work);
  await group.done();
}

import type { FileHandle } from 'node:fs/promises';
import type { JobInput } from '../../contract/job.ts';
import type { ArrivedRanges } from './arrived-ranges.ts';
import { type ByteRange, gapsIn } from './byte-ranges.ts';
import { chunkSizeFor, splitRange } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import type { FragmentedFileHead } from './fragment-placer.ts';
import { createMemoryWriter } from './memory-writer.ts';
import { createScatterWriter, type ScatteredRange } from './scatter-writer.ts';
import {
  type PartHead,
  type RangeRequest,
  type ResourceVersion,
  resourceVersionOf,
  type Source,
} from './source-request.ts';
import { createTaskGroup } from './task-group.ts';
import { createWrittenRanges } from './written-ranges.ts';

/** Thrown when the inputs must be fetched as whole files. The message is a human-readable reason. */
export class PlacementDeclined extends Error {
  override readonly name = 'PlacementDeclined';
}

/** The start of an input. */
export interface FetchedHead {
  readonly fileHead: FragmentedFileHead;
  readonly version: ResourceVersion | undefined;
}

/**
 * Fetches the first `bytes` bytes of a file.
 *
 * @throws PlacementDeclined if the source does not support ranges.
 */
export async function fetchHead(source: Source, arrivedRanges: ArrivedRanges, bytes: number): Promise<FetchedHead> {
  const buffer = Buffer.alloc(bytes);
  let size = 0;
  let version: ResourceVersion | undefined;
  const range = { from: 0, to: bytes - 1, initial: true };
  const accept = (head: PartHead) => {
    const { acceptsRanges, total, coding } = head;
    if (!acceptsRanges || total === undefined || coding !== undefined)
      throw new PlacementDeclined(`${source.name} does not support ranges`);
    size = total;
    version = resourceVersionOf(head);
  };
  const writer = createMemoryWriter(buffer, 0);
  const end = await fetchPart(source, range, writer, arrivedRanges.observe(range, accept));
  return { fileHead: { head: buffer.subarray(0, end), size }, version };
}

/** The destination of an input's fragments. */
interface FragmentDestination {
  readonly file: FileHandle;
  readonly ranges: readonly ScatteredRange[];
  /** Ranges of the input that an earlier run has stored. */
  readonly storedRanges: readonly ByteRange[];
  readonly onWritten: ((range: ByteRange) => void) | undefined;
}

/**
 * Writes the fragments that the head contains to their destination, and fetches the rest, several chunks concurrently.
 */
export async function fetchFragments(
  source: Source,
  { chunks }: JobInput,
  { head }: FragmentedFileHead,
  arrivedRanges: ArrivedRanges,
  { file, ranges, storedRanges, onWritten }: FragmentDestination,
): Promise<void> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return;
  const end = last.to + 1;
  const writtenRanges = createWrittenRanges(source.name, storedRanges);
  if (first.from < head.length) {
    const writer = createScatterWriter(file, ranges, writtenRanges.add);
    await writer.write(first.from, head.subarray(first.from, Math.min(head.length, end)));
    await writer.finish();
  }
  const size = chunks.size ?? chunkSizeFor(end, chunks.concurrency);
  const gaps = gapsIn({ from: Math.max(first.from, head.length), end }, storedRanges);
  const queue: RangeRequest[] = gaps.flatMap((gap) => splitRange(gap, size));
  const group = createTaskGroup(source.signal);
  const onRangeWritten = (range: ByteRange) => {
    writtenRanges.add(range);
    onWritten?.(range);
  };
  const runWorker = async () => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      const groupSource = { ...source, signal: group.signal };
      await fetchPart(
        groupSource,
        part,
        createScatterWriter(file, ranges, onRangeWritten),
        arrivedRanges.observe(part),
      );
    }
  };
  for (let worker = 0; worker < chunks.concurrency; worker += 1) group.run(runWorker);
  await group.wait();
  writtenRanges.expect({ from: first.from, end });
}

import type { FileHandle } from 'node:fs/promises';
import type { JobInput } from '../../contract/job.ts';
import { type ArrivalProof, createArrivalProof, type SummedRange } from './arrival-proof.ts';
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
import { withStoredBytes } from './stored-bytes.ts';
import { createTaskGroup } from './task-group.ts';

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
 * Fetches the first `length` bytes of a file.
 *
 * @throws PlacementDeclined if the source does not support ranges.
 */
export async function fetchHead(source: Source, arrivedRanges: ArrivedRanges, length: number): Promise<FetchedHead> {
  const buffer = Buffer.alloc(length);
  let size = 0;
  let version: ResourceVersion | undefined;
  const range = { from: 0, to: length - 1, initial: true };
  const accept = (head: PartHead) => {
    const { acceptsRanges, total, coding } = head;
    if (!acceptsRanges || total === undefined || coding !== undefined)
      throw new PlacementDeclined(`${source.name} does not support ranges`);
    size = total;
    version = resourceVersionOf(head);
  };
  const proof = createArrivalProof(source.name);
  const writer = proof.writerTo((onWritten) => createMemoryWriter(buffer, 0, onWritten));
  const end = await fetchPart(source, range, writer, arrivedRanges.observe(range, accept));
  const partsOf = (part: ByteRange) => [buffer.subarray(part.from, part.end)];
  await withStoredBytes(source.signal, (bytes) => proof.verify({ from: 0, end }, partsOf, bytes));
  return { fileHead: { head: buffer.subarray(0, end), size }, version };
}

/** The destination of an input's fragments. */
interface FragmentDestination {
  readonly file: FileHandle;
  readonly ranges: readonly ScatteredRange[];
  /** Ranges of the input that an earlier run has stored. */
  readonly storedRanges: readonly SummedRange[];
  readonly onWritten: (range: ByteRange) => void;
  readonly onStored: (range: SummedRange) => void;
}

/**
 * Writes the fragments that the head contains to their destination, and fetches the rest, several chunks concurrently.
 * Returns the proof of the fragments; verify it when the other inputs are written to the file, too.
 */
export async function fetchFragments(
  source: Source,
  { chunks }: JobInput,
  { head }: FragmentedFileHead,
  arrivedRanges: ArrivedRanges,
  { file, ranges, storedRanges, onWritten, onStored }: FragmentDestination,
): Promise<ArrivalProof> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  const end = (last?.to ?? -1) + 1;
  const storedAfterHead = storedRanges.filter(({ from }) => from >= head.length);
  const proof = createArrivalProof(source.name, {
    storedRanges: storedAfterHead,
    // The journal contains the head itself.
    onStored: (range) => range.from >= head.length && onStored(range),
  });
  if (first === undefined) return proof;
  if (first.from < head.length) {
    const writer = proof.writerTo((written) => createScatterWriter(file, ranges, written));
    await writer.write(first.from, head.subarray(first.from, Math.min(head.length, end)));
    await writer.finish();
  }
  const size = chunks.size ?? chunkSizeFor(end, chunks.concurrency);
  const gaps = gapsIn({ from: Math.max(first.from, head.length), end }, storedAfterHead);
  const queue: RangeRequest[] = gaps.flatMap((gap) => splitRange(gap, size));
  const group = createTaskGroup(source.signal);
  const runWorker = async () => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      const groupSource = { ...source, signal: group.signal };
      const writer = proof.writerTo((written) =>
        createScatterWriter(file, ranges, (range) => {
          written(range);
          onWritten(range);
        }),
      );
      await fetchPart(groupSource, part, writer, arrivedRanges.observe(part));
    }
  };
  for (let worker = 0; worker < chunks.concurrency; worker += 1) group.run(runWorker);
  await group.wait();
  return proof;
}

import { createArrivalProof } from '../arrival-proof.ts';
import type { ArrivedRanges } from '../arrived-ranges.ts';
import type { ByteRange } from '../byte-ranges.ts';
import { splitRange } from '../chunks.ts';
import { fetchPart } from '../fetch-part.ts';
import { createMemoryWriter } from '../memory-writer.ts';
import type { RangeRequest, Source } from '../source-request.ts';
import { withStoredBytes } from '../stored-bytes.ts';
import { createTaskGroup } from '../task-group.ts';

/** Size in bytes of the requests for an index. */
const chunkBytes = 2 * 1024 * 1024;

/** Fetches a range of a file into a buffer of its length, several chunks concurrently. */
export async function fetchBytes(
  source: Source,
  { from, end }: ByteRange,
  bytes: Buffer,
  arrivedRanges: ArrivedRanges,
  concurrency: number,
): Promise<void> {
  const proof = createArrivalProof(source.name);
  const requests = splitRange({ from, end }, chunkBytes);
  await fetchConcurrently(source, requests, concurrency, (groupSource, request) => {
    const writer = proof.writerTo((onWritten) => createMemoryWriter(bytes, from, onWritten));
    return fetchPart(groupSource, request, writer, arrivedRanges.observe(request));
  });
  const partsOf = (range: ByteRange) => [bytes.subarray(range.from - from, range.end - from)];
  await withStoredBytes(source.signal, (stored) => proof.verify({ from, end }, partsOf, stored));
}

/** Sends requests, at most `concurrency` at the same time. The first failure aborts the others. */
export async function fetchConcurrently<Request extends RangeRequest>(
  source: Source,
  requests: readonly Request[],
  concurrency: number,
  fetch: (source: Source, request: Request) => Promise<unknown>,
): Promise<void> {
  const group = createTaskGroup(source.signal);
  const groupSource = { ...source, signal: group.signal };
  const queue = [...requests];
  const runWorker = async () => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) await fetch(groupSource, request);
  };
  for (let worker = 0; worker < Math.min(concurrency, requests.length); worker += 1) group.run(runWorker);
  await group.wait();
}

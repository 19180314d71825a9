import { jobLimits } from '../../contract/job.ts';
import type { ByteRange } from './byte-ranges.ts';
import type { RangeRequest } from './source-request.ts';

const MIB = 1024 * 1024;

/** Bytes of the first request for a file of which nothing is known; few, so that the other requests soon follow. */
export const INITIAL_CHUNK_BYTES = MIB;

/**
 * Returns the chunk size for a file: each connection gets about eight chunks, so that none idles at the end, of 1 to 8 MiB (where
 * throughput no longer gains, as measured).
 */
export function chunkSizeFor(total: number, concurrency: number): number {
  const even = Math.ceil(total / (concurrency * 8));
  return Math.min(Math.max(even, MIB), 8 * MIB, jobLimits.chunkSize.max);
}

/** Splits a range into chunks. */
export function splitRange({ from, end }: ByteRange, size: number): RangeRequest[] {
  const parts: RangeRequest[] = [];
  for (let at = from; at < end; at += size) parts.push({ from: at, to: Math.min(at + size, end) - 1 });
  return parts;
}

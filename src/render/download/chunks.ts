import { jobLimits } from '../../contract/job.ts';
import type { ByteRange } from './byte-ranges.ts';
import type { RangeRequest } from './source-request.ts';

const MIB = 1024 * 1024;

/**
 * Size in bytes of the first request for a file whose size is unknown. It is small so that the other requests can start
 * soon.
 */
export const INITIAL_CHUNK_BYTES = MIB;

/**
 * Returns the chunk size for a file. Each connection gets about eight chunks, so that none is idle at the end. Chunks
 * are 1 to 8 MiB long; larger ones did not increase throughput in measurements.
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

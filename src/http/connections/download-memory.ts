import { MillraceError } from '../../contract/errors.ts';
import type { RefusalReason } from './bounded-pool.ts';
import type { RequestMemory } from './client-memory.ts';

const KIB = 1024;
/**
 * What a download holds besides the chunk that its client has not read: its connection, its file or source, and chunks
 * on their way. Measured with 900 unread downloads of each kind (Node 26.10, 2026-11-30).
 */
const DOWNLOAD_BYTES = 128 * KIB;
/** Smallest chunk. With smaller ones, reading costs more than what is read. */
const MIN_CHUNK = 16 * KIB;
/** Largest chunk. Larger ones make no download faster. */
const MAX_CHUNK = 256 * KIB;
/** Portion of the spare memory that one chunk takes, so that many downloads get smaller chunks instead of none. */
const SPARE_SHARE = 1 / 8;
const RETRY_AFTER_S = 5;

/** Takes the memory that a download needs at least. Returns why the budget does not allow it. */
export function takeDownload(memory: RequestMemory): RefusalReason | undefined {
  return memory.resize(DOWNLOAD_BYTES + MIN_CHUNK);
}

/**
 * Counts bytes that an admitted download holds instead of a chunk.
 *
 * @throws MillraceError `rate_limited`, `service_unavailable` if the budget does not allow it.
 */
export function holdForDownload(memory: RequestMemory, bytes: number): void {
  const refusal = memory.resize(DOWNLOAD_BYTES + bytes);
  if (refusal !== undefined) throw downloadError(refusal);
}

/** Returns the size of the next chunk of an admitted download, and counts it instead of the previous one. */
export function nextChunkSize(memory: RequestMemory): number {
  memory.resize(DOWNLOAD_BYTES + MIN_CHUNK);
  const share = MIN_CHUNK + memory.spare() * SPARE_SHARE;
  const size = Math.min(MAX_CHUNK, share - (share % MIN_CHUNK));
  memory.resize(DOWNLOAD_BYTES + size);
  return size;
}

/** Returns the error for a download that is refused. */
export function downloadError(refusal: RefusalReason): MillraceError {
  const retryAfter = RETRY_AFTER_S;
  if (refusal === 'share') {
    const message = 'Your address has too many downloads in progress. Complete some of them, or try again later.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node serves as many downloads as it can. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}

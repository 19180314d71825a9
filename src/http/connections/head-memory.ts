import { MillraceError } from '../../contract/errors.ts';
import type { RefusalReason } from './bounded-pool.ts';
import type { RequestMemory } from './client-memory.ts';

const KIB = 1024;
/** Bytes that are not counted. Most heads are shorter. */
const FREE_BYTES = 4 * KIB;
/** Length of the longest head, and of the longest trailers. */
const MAX_BYTES = 2 * 64 * KIB;
/** Memory that a byte takes, as a part of a field. Measured with 3,000 heads of 60 kB (Node 26.10, 2026-11-30). */
const BYTES_PER_BYTE = 3;
const RETRY_AFTER_S = 5;

/** What the heads and the trailers that arrive over one connection hold in memory. */
export interface HeadMemory {
  /**
   * Counts bytes that may belong to the head or the trailers of the current request. Returns the error for the request if
   * the budget of its client does not allow them.
   */
  add(bytes: number): MillraceError | undefined;
  /** Ends the request: the connection holds nothing. */
  clear(): void;
}

/** Creates the count of one connection. */
export function createHeadMemory(memory: RequestMemory): HeadMemory {
  let held = 0;
  return {
    add(bytes) {
      const before = held;
      held = Math.min(MAX_BYTES, held + bytes);
      if (held <= FREE_BYTES || held === before) return undefined;
      const refusal = memory.resize(BYTES_PER_BYTE * held);
      return refusal === undefined ? undefined : headError(refusal);
    },
    clear() {
      if (held > FREE_BYTES) memory.resize(0);
      held = 0;
    },
  };
}

function headError(refusal: RefusalReason): MillraceError {
  const retryAfter = RETRY_AFTER_S;
  if (refusal === 'share') {
    const message =
      'Your address sends too many long request heads at once. Complete some of the requests, or try again later.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node receives as many requests as it can. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}

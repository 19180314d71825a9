import type { LastingHead } from './source.ts';

/** Bytes of a version: entity tags and dates that sources send are shorter. */
const MAX_VERSION = 1024;

/** Whether a value of a journal is a number of bytes, or a position. */
export function isByteCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Reads a head back from a journal's values, which may be anything. */
export function readHeadRecord([version, total]: readonly unknown[]): LastingHead | undefined {
  const known = typeof version === 'string' && version.length <= MAX_VERSION && isByteCount(total);
  // It came in a header, and so holds no control characters (RFC 9110 §5.5).
  return known && !/\p{Cc}/u.test(version.replaceAll('\t', '')) ? { version, total } : undefined;
}

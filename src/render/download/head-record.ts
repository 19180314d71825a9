import type { LastingHead } from './source.ts';

/** Maximum length of a version in characters. Entity tags and dates from sources are shorter. */
const MAX_VERSION = 1024;

/** Whether a journal value is a byte count or position. */
export function isByteCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Reads a head from a journal's values, which may be anything. */
export function readHeadRecord([version, total]: readonly unknown[]): LastingHead | undefined {
  const isHead = typeof version === 'string' && version.length <= MAX_VERSION && isByteCount(total);
  // It came from a header, so it has no control characters (RFC 9110 §5.5).
  return isHead && !/\p{Cc}/u.test(version.replaceAll('\t', '')) ? { version, total } : undefined;
}

import type { ResourceVersion } from './source-request.ts';

/** Maximum length of a validator in characters. Entity tags and dates from sources are shorter. */
const MAX_VALIDATOR_LENGTH = 1024;

/** The versions of a file that an earlier run has fetched: the same file, through one or several links. */
export interface StoredVersion {
  readonly total: number;
  /** The validator at each link; at least one. */
  readonly validators: readonly string[];
}

/** Whether a journal value is a byte count or position. */
export function isByteCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Reads a version from a journal's values, which may be anything. */
export function readVersionRecord([validator, total]: readonly unknown[]): ResourceVersion | undefined {
  const isVersion = typeof validator === 'string' && validator.length <= MAX_VALIDATOR_LENGTH && isByteCount(total);
  // The validator came from a header, so it has no control characters (RFC 9110 §5.5).
  return isVersion && !/\p{Cc}/u.test(validator.replaceAll('\t', '')) ? { validator, total } : undefined;
}

/**
 * Combines the versions of a file. Returns undefined for an empty list, or if their sizes differ: they are then not the
 * same file.
 */
export function combineVersions(versions: readonly ResourceVersion[]): StoredVersion | undefined {
  const [first] = versions;
  if (first === undefined || versions.some(({ total }) => total !== first.total)) return undefined;
  return { total: first.total, validators: [...new Set(versions.map(({ validator }) => validator))] };
}

import type { ResponseHead } from './egress.ts';

/** What a response states about the version of its resource (RFC 9110 §8.8). */
export interface Validator {
  /** Equal in two responses from one URL if nothing that they state tells their versions apart. */
  readonly text: string;
  /** Whether a response with the same text has the same bytes, even if it is requested much later. */
  readonly isStrong: boolean;
}

/** The least time between Last-Modified and Date with which it is strong, in milliseconds (RFC 9110 §8.8.2.2). */
const MIN_AGE_MS = 1000;

/**
 * Reads the validator of a response, which may be absent. A strong entity tag alone tells versions apart. A weak
 * one may stay the same when bytes change (§8.8.1), so the date of the last change must stay the same too, and neither may
 * appear or vanish. A date may stay the same if the resource changes twice within the second.
 */
export function validatorOf({ headers }: Pick<ResponseHead, 'headers'>): Validator | undefined {
  const { etag, 'last-modified': modified, date } = headers;
  if (etag !== undefined && !etag.startsWith('W/')) return { text: etag, isStrong: true };
  if (etag !== undefined) return { text: modified === undefined ? etag : `${etag} ${modified}`, isStrong: false };
  if (modified === undefined) return undefined;
  return { text: modified, isStrong: Date.parse(date ?? '') - Date.parse(modified) >= MIN_AGE_MS };
}

/** What tells two responses with the same resource apart. */
export interface VersionFacts {
  /** The text of its {@link Validator}. */
  readonly validator?: string;
  /** Size of the whole resource in bytes. */
  readonly total?: number;
}

/**
 * Whether two responses from one URL are of one version of its resource. This alone decides it, for all downloads.
 * Undefined if they state nothing that tells.
 */
export function isSameVersion(known: VersionFacts, next: VersionFacts): boolean | undefined {
  const haveTotals = known.total !== undefined && next.total !== undefined;
  if (haveTotals && known.total !== next.total) return false;
  if (known.validator !== next.validator) return false;
  return known.validator !== undefined || haveTotals ? true : undefined;
}

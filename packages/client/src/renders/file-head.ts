/** The bytes of a file that a response contains. */
interface Part {
  /** Position of the first byte. */
  readonly first: number;
  /** Size of the whole file, if the response states it. */
  readonly total: number | undefined;
}

/**
 * Returns the part of a file that a response contains; undefined if it is not a part. RFC 9110 §14.4 gives
 * `Content-Range` no meaning for 200, but a server that sends it there has cut its response to a range.
 */
export function partOf({ status, headers }: Response): Part | undefined {
  const text = headers.get('content-range') ?? '';
  const [, first, last, whole] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(text) ?? [];
  const total = whole === undefined || whole === '*' ? undefined : Number(whole);
  const isWhole = first === undefined || (Number(first) === 0 && Number(last) + 1 === total);
  return status === 206 || (status === 200 && !isWhole) ? { first: Number(first), total } : undefined;
}

/** The length of a response; unknown if it is compressed, since the header counts compressed bytes. */
export function lengthOf({ headers }: Response): number | undefined {
  return headers.has('content-encoding') ? undefined : lengthIn(headers);
}

/** Returns a valid `Content-Length`. Browsers pass invalid ones on, and ignore them. */
export function lengthIn(headers: Headers): number | undefined {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** What a response states about the version of its file; null for a header that it does not have. */
export interface FileVersion {
  readonly tag: string | null;
  /** Undefined if only the tag of the version is known. */
  readonly modified: string | null | undefined;
}

/** Returns the version of the file in a response. */
export function versionOf({ headers }: Response): FileVersion {
  return { tag: headers.get('etag'), modified: headers.get('last-modified') };
}

/** Whether a tag alone identifies a version (RFC 9110 §8.8.1). */
export function isStrong(tag: string | null | undefined): tag is string {
  return tag?.startsWith('"') === true;
}

/**
 * Whether two responses may be of the same version of a file. Unless their tag is strong, the date must be the same too,
 * as in the downloads of the service.
 */
export function isSameVersion(known: FileVersion, next: FileVersion): boolean {
  if (known.tag !== next.tag) return false;
  return isStrong(known.tag) || known.modified === undefined || known.modified === next.modified;
}

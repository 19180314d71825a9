/** The bytes of a file that a partial response contains. */
export interface ContentRange {
  /** Position of the first byte. */
  readonly first: number;
  /** Position of the last byte. */
  readonly last: number;
  /** Bytes of the whole file, if the response states them. */
  readonly total?: number;
}

/** Reads a `Content-Range` header (RFC 9110 §14.4); undefined if it is absent or contradicts itself. */
export function readContentRange(header = ''): ContentRange | undefined {
  const [, ...numbers] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(header) ?? [];
  const [first, last, total] = numbers.map(Number);
  if (first === undefined || last === undefined || total === undefined || first > last) return undefined;
  // An asterisk is not a number.
  if (Number.isNaN(total)) return { first, last };
  return last < total ? { first, last, total } : undefined;
}

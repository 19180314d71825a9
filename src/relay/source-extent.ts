import type { ResponseHead } from '../egress/egress.ts';

/** The bytes of a file that a response contains. */
export interface SourceExtent {
  /** Position of the first byte. */
  readonly first: number;
  /** Position of the last byte. */
  readonly last: number;
  /** Bytes of the whole file, if the response states them. */
  readonly total?: number;
}

/** Returns the bytes that a response states to contain; undefined if it does not state them. */
export function extentOf({ status, headers }: ResponseHead): SourceExtent | undefined {
  if (status === 200) {
    const total = digits(headers['content-length']);
    return total === undefined ? undefined : { first: 0, last: total - 1, total };
  }
  if (status !== 206) return undefined;
  const [, ...numbers] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  const [first, last, total] = numbers.map(Number);
  if (first === undefined || last === undefined || total === undefined || first > last) return undefined;
  // An asterisk is not a number.
  if (Number.isNaN(total)) return { first, last };
  return last < total ? { first, last, total } : undefined;
}

function digits(text = ''): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

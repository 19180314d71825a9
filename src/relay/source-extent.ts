import { type ContentRange, readContentRange } from '../egress/content-range.ts';
import type { ResponseHead } from '../egress/egress.ts';

/** Returns the bytes that a response states to contain; undefined if it does not state them. */
export function extentOf({ status, headers }: ResponseHead): ContentRange | undefined {
  if (status === 200) {
    const total = digits(headers['content-length']);
    return total === undefined ? undefined : { first: 0, last: total - 1, total };
  }
  return status === 206 ? readContentRange(headers['content-range']) : undefined;
}

function digits(text = ''): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

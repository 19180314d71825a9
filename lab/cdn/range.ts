/** Range of bytes of a file, both ends inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a Range header for a file of `size` bytes. Returns `whole` when the header is absent or unsupported, and
 * `unsatisfiable` when no byte of the range exists. RFC 9110 §14.2 lets a server ignore the header, which the lab does
 * for lists of ranges.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'whole';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  if (to !== '' && Number(to) < Number(from)) return 'whole';
  return clip(Number(from), to === '' ? size - 1 : Number(to), size);
}

/** Reads the query form `range=first-last`; returns `malformed` for any other form. */
export function parseQueryRange(text: string, size: number): ByteRange | 'unsatisfiable' | 'malformed' {
  const [, from, to] = /^(\d+)-(\d*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined || (to !== '' && Number(to) < Number(from))) return 'malformed';
  return clip(Number(from), to === '' ? size - 1 : Number(to), size);
}

/**
 * Returns a range of the same length at another offset, or a shorter one if there is no other: the wrong range that a
 * faulty server sends.
 */
export function shiftRange({ first, last }: ByteRange, size: number): ByteRange {
  if (last + 1 < size) return { first: first + 1, last: last + 1 };
  if (first > 0) return { first: first - 1, last: last - 1 };
  return { first, last: Math.max(first, last - 1) };
}

function clip(first: number, last: number, size: number): ByteRange | 'unsatisfiable' {
  return first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable';
}

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads what part of `size` bytes a client wants: `whole` when it names none that the lab understands (RFC 9110 §14.2
 * lets a server ignore a Range header, and so it does with lists of ranges), `unsatisfiable` when none of it exists.
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

/** Reads the query form `range=first-last`; `malformed` when it is not that. */
export function parseQueryRange(text: string, size: number): ByteRange | 'unsatisfiable' | 'malformed' {
  const [, from, to] = /^(\d+)-(\d*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined || (to !== '' && Number(to) < Number(from))) return 'malformed';
  return clip(Number(from), to === '' ? size - 1 : Number(to), size);
}

/** As many bytes from another place, or fewer where there is none: what a server sends that gets ranges wrong. */
export function shiftRange({ first, last }: ByteRange, size: number): ByteRange {
  if (last + 1 < size) return { first: first + 1, last: last + 1 };
  if (first > 0) return { first: first - 1, last: last - 1 };
  return { first, last: Math.max(first, last - 1) };
}

function clip(first: number, last: number, size: number): ByteRange | 'unsatisfiable' {
  return first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable';
}

/** Reads members that the contract does not define: any of them may be missing or have another type. */

/** Returns a member by its path. */
function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return current;
}

/** Returns a text that is not blank. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = memberAt(value, ...path);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Returns a finite number. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const number = memberAt(value, ...path);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns whether a member is `true`. */
export function flagAt(value: unknown, ...path: readonly string[]): boolean {
  return memberAt(value, ...path) === true;
}

/** Returns the entries of a list; none if it is missing. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = memberAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

/** Returns the address of the smallest image in a list that is at least `width` wide, or of the largest image. */
export function pictureAt(value: unknown, width: number, ...path: readonly string[]): string | undefined {
  const pictures = memberAt(value, ...path);
  if (!Array.isArray(pictures)) return undefined;
  const sizes = pictures.toSorted((a, b) => (numberAt(a, 'width') ?? 0) - (numberAt(b, 'width') ?? 0));
  return textAt(sizes.find((size) => (numberAt(size, 'width') ?? 0) >= width) ?? sizes.at(-1), 'url');
}

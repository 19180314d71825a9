/** Reads what platforms tell beside the contract: anything may be missing, or be something else. */

/** A member, by its path. */
export function dig(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** A text with something in it. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = dig(value, ...path);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

/** A number. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = dig(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** The address of the smallest picture that is wide enough, of a list of sizes; else of the largest. */
export function pictureAt(value: unknown, width: number, ...path: readonly string[]): string | undefined {
  const found = dig(value, ...path);
  if (!Array.isArray(found)) return undefined;
  const sizes = found.toSorted((a, b) => (numberAt(a, 'width') ?? 0) - (numberAt(b, 'width') ?? 0));
  return textAt(sizes.find((size) => (numberAt(size, 'width') ?? 0) >= width) ?? sizes.at(-1), 'url');
}

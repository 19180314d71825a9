import { memberAt, numberAt, textAt } from '#client/read-members.ts';

/** Returns whether a member is `true`. */
export function flagAt(value: unknown, ...path: readonly string[]): boolean {
  return memberAt(value, ...path) === true;
}

/** Returns the address of the smallest image in a list that is at least `width` wide, or of the largest image. */
export function pictureAt(value: unknown, width: number, ...path: readonly string[]): string | undefined {
  const pictures = memberAt(value, ...path);
  if (!Array.isArray(pictures)) return undefined;
  const sizes = pictures.toSorted((a, b) => (numberAt(a, 'width') ?? 0) - (numberAt(b, 'width') ?? 0));
  return textAt(sizes.find((size) => (numberAt(size, 'width') ?? 0) >= width) ?? sizes.at(-1), 'url');
}

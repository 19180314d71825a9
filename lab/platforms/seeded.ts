/** Returns a pseudo-random number from 0 up to but not including `count` that is derived from texts and numbers. */
export function pick(count: number, ...seed: readonly (string | number)[]): number {
  // FNV-1a with a final mix, so that similar seeds give unrelated numbers.
  let hash = 0x811c9dc5;
  for (const character of seed.join('\n')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) % count;
}

/** Returns an item of a list, chosen by {@link pick}. */
export function choose<T>(list: readonly [T, ...T[]], ...seed: readonly (string | number)[]): T {
  return list[pick(list.length, ...seed)] ?? list[0];
}

/** Returns a count up to 10^`digits` that is small for most seeds and huge for a few. */
export function count(digits: number, ...seed: readonly (string | number)[]): number {
  const size = 10 ** (1 + pick(digits, 'size', ...seed));
  return pick(size, 'count', ...seed);
}

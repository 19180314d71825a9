/** Deterministic random numbers. */
export interface Random {
  /** Returns a number from `from` up to `to`. */
  between(from: number, to: number): number;
  /** Returns an item of a list. */
  of<T>(list: readonly [T, ...T[]]): T;
  /** Returns whether an event of this probability happens. */
  chance(probability: number): boolean;
}

/** Returns the random numbers of a seed, by xorshift. */
export function randomOf(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // A final mix, so that similar seeds give unrelated numbers.
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + next() * (to - from),
    of: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    chance: (probability) => next() < probability,
  };
}

/** Returns a count that takes the plural form of the short form of `count`: from a million on, the one of millions. */
export function shortCount(count: number): number {
  return Math.min(count, 1_000_000);
}

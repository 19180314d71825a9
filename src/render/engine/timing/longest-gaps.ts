/** The time between two consecutive packets. */
export interface Gap {
  readonly seconds: number;
  /** Start of the gap. */
  readonly at: number;
}

/** Maximum number of gaps that are listed per stream. */
export const maxGaps = 16;

/** Collects the longest gaps of a stream. Gaps that it does not list are no longer than the shortest listed one. */
export class LongestGaps {
  readonly #gaps: Gap[] = [];
  /** Duration in seconds that a gap must exceed to be listed. */
  #least = 0;

  add(seconds: number, at: number): void {
    if (seconds <= this.#least) return;
    const place = this.#gaps.findIndex((gap) => gap.seconds < seconds);
    this.#gaps.splice(place < 0 ? this.#gaps.length : place, 0, { seconds, at });
    if (this.#gaps.length > maxGaps) this.#gaps.pop();
    if (this.#gaps.length === maxGaps) this.#least = this.#gaps.at(-1)?.seconds ?? 0;
  }

  /** Returns the gaps, longest first. */
  list(): readonly Gap[] {
    return [...this.#gaps];
  }
}

/** Returns the longest gaps of several lists. */
export function mergeLongestGaps(...lists: readonly (readonly Gap[])[]): readonly Gap[] {
  const longest = new LongestGaps();
  for (const { seconds, at } of lists.flat()) longest.add(seconds, at);
  return longest.list();
}

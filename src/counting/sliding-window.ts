/** The tally of one interval of a {@link SlidingWindow}. */
export type Interval<Tally> = Tally & {
  /** Milliseconds since 1970. */
  readonly from: number;
};

/** A sliding window over the latest events, in intervals of equal length. */
export interface SlidingWindow<Tally> {
  /** Returns the tally to count an event in; undefined if the event is too old. Default: an event of now. */
  at(time?: number): Tally | undefined;
  /** Returns the intervals with events, oldest first; the last one may be the current one. */
  intervals(): readonly Interval<Tally>[];
}

/**
 * Creates an empty window.
 *
 * @param length Milliseconds of an interval.
 * @param size Number of intervals, including the current one.
 * @param empty Creates the tally of an interval without events.
 */
export function createSlidingWindow<Tally extends object>(
  length: number,
  size: number,
  empty: () => Tally,
): SlidingWindow<Tally> {
  const ring = new Map<number, Interval<Tally>>();
  const current = () => Math.floor(Date.now() / length);

  function evictExpired(): void {
    for (const number of ring.keys()) if (number <= current() - size) ring.delete(number);
  }

  return {
    at(time = Date.now()) {
      // The clock of another node may be ahead.
      const number = Math.min(Math.floor(time / length), current());
      const existing = ring.get(number);
      if (existing !== undefined) return existing;
      if (number <= current() - size) return undefined;
      evictExpired();
      const created = { ...empty(), from: number * length };
      ring.set(number, created);
      return created;
    },
    intervals() {
      evictExpired();
      return [...ring.values()].toSorted((one, other) => one.from - other.from);
    },
  };
}

import type { ErrorCode } from '../../contract/errors.ts';
import { addLatencies, countLatency, emptyLatencies, type Latencies } from './latencies.ts';

/** Outcome of an extraction. */
export type Outcome = 'success' | ErrorCode;

/** Counts of extractions. */
export interface Tally {
  /** Number of extractions by outcome. */
  readonly outcomes: Map<Outcome, number>;
  readonly latencies: Latencies;
}

/** The counts of one interval of a {@link SlidingWindow}. */
export interface Interval extends Tally {
  /** Milliseconds since 1970. */
  readonly from: number;
}

/** A sliding window over the latest extractions, in intervals of equal length. */
export interface SlidingWindow {
  count(outcome: Outcome, milliseconds: number): void;
  /** Returns the intervals with extractions, oldest first; the last one may be the current one. */
  intervals(): readonly Interval[];
}

/**
 * Creates an empty window.
 *
 * @param length Milliseconds of an interval.
 * @param size Number of intervals, including the current one.
 */
export function createSlidingWindow(length: number, size: number): SlidingWindow {
  const ring = new Map<number, Interval>();
  const current = () => Math.floor(Date.now() / length);

  function evictExpired(): void {
    for (const number of ring.keys()) if (number <= current() - size) ring.delete(number);
  }

  function interval(number: number): Interval {
    const existing = ring.get(number);
    if (existing !== undefined) return existing;
    evictExpired();
    const created = { from: number * length, outcomes: new Map<Outcome, number>(), latencies: emptyLatencies() };
    ring.set(number, created);
    return created;
  }

  return {
    count(outcome, milliseconds) {
      const { outcomes, latencies } = interval(current());
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      countLatency(latencies, milliseconds);
    },
    intervals() {
      evictExpired();
      return [...ring.values()];
    },
  };
}

/** Adds up counts. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const total: Tally = { outcomes: new Map(), latencies: emptyLatencies() };
  for (const { outcomes, latencies } of tallies) {
    for (const [outcome, count] of outcomes) total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + count);
    addLatencies(total.latencies, latencies);
  }
  return total;
}

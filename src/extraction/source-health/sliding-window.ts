import type { ErrorCode } from '../../contract/errors.ts';
import type { UnreadKinds } from '../../platforms/unread.ts';
import { addLatencies, countLatency, emptyLatencies, type Latencies } from './latencies.ts';

/** Outcome of an extraction. */
export type Outcome = 'success' | ErrorCode;

/** Counts of extractions. */
export interface Tally {
  /** Number of extractions by outcome. */
  readonly outcomes: Map<Outcome, number>;
  readonly latencies: Latencies;
  readonly drift: DriftCounts;
}

/** Counts of responses with entries that no parser recognised. */
interface DriftCounts {
  /** Number of such responses. */
  responses: number;
  /** Number of entries by kind. */
  readonly kinds: Map<string, number>;
}

/** An extraction that ended. */
export interface EndedExtraction {
  readonly outcome: Outcome;
  readonly milliseconds: number;
  /** Entries that no parser recognised, by kind. Empty if all were. The caller limits the number of kinds. */
  readonly unread: UnreadKinds;
}

/** The counts of one interval of a {@link SlidingWindow}. */
export interface Interval extends Tally {
  /** Milliseconds since 1970. */
  readonly from: number;
}

/** A sliding window over the latest extractions, in intervals of equal length. */
export interface SlidingWindow {
  count(extraction: EndedExtraction): void;
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
    const created = { from: number * length, ...emptyTally() };
    ring.set(number, created);
    return created;
  }

  return {
    count({ outcome, milliseconds, unread }) {
      const { outcomes, latencies, drift } = interval(current());
      add(outcomes, outcome, 1);
      countLatency(latencies, milliseconds);
      const kinds = Object.entries(unread);
      if (kinds.length > 0) drift.responses += 1;
      for (const [kind, entries] of kinds) add(drift.kinds, kind, entries);
    },
    intervals() {
      evictExpired();
      return [...ring.values()];
    },
  };
}

/** Adds up counts. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const total = emptyTally();
  for (const { outcomes, latencies, drift } of tallies) {
    for (const [outcome, count] of outcomes) add(total.outcomes, outcome, count);
    addLatencies(total.latencies, latencies);
    total.drift.responses += drift.responses;
    for (const [kind, entries] of drift.kinds) add(total.drift.kinds, kind, entries);
  }
  return total;
}

function emptyTally(): Tally {
  return { outcomes: new Map(), latencies: emptyLatencies(), drift: { responses: 0, kinds: new Map() } };
}

function add<Key>(counts: Map<Key, number>, key: Key, number: number): void {
  counts.set(key, (counts.get(key) ?? 0) + number);
}

import type { ErrorCode } from '../../contract/errors.ts';
import { addLatencies, countLatency, type Latencies, noLatencies } from './latencies.ts';

/** What an extraction came to. */
export type Outcome = 'success' | ErrorCode;

/** Extractions of a stretch of time. */
export interface Tally {
  /** How many came to what. */
  readonly outcomes: Map<Outcome, number>;
  readonly latencies: Latencies;
}

/** A stretch of {@link Window}. */
export interface Stretch extends Tally {
  /** Milliseconds since 1970. */
  readonly from: number;
}

/** The latest extractions, by stretches of time; older ones are forgotten. */
export interface Window {
  count(outcome: Outcome, milliseconds: number): void;
  /** Stretches in which there was something, oldest first; the last one may be the present one. */
  stretches(): readonly Stretch[];
}

/**
 * Opens an empty window.
 *
 * @param length Milliseconds of a stretch.
 * @param size Number of stretches, with the present one.
 */
export function createWindow(length: number, size: number): Window {
  const ring = new Map<number, Stretch>();
  const present = () => Math.floor(Date.now() / length);

  function forgetOld(): void {
    for (const number of ring.keys()) if (number <= present() - size) ring.delete(number);
  }

  function stretch(number: number): Stretch {
    const known = ring.get(number);
    if (known !== undefined) return known;
    forgetOld();
    const made = { from: number * length, outcomes: new Map<Outcome, number>(), latencies: noLatencies() };
    ring.set(number, made);
    return made;
  }

  return {
    count(outcome, milliseconds) {
      const { outcomes, latencies } = stretch(present());
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      countLatency(latencies, milliseconds);
    },
    stretches() {
      forgetOld();
      return [...ring.values()];
    },
  };
}

/** All of some stretches together. */
export function sum(tallies: readonly Tally[]): Tally {
  const total: Tally = { outcomes: new Map(), latencies: noLatencies() };
  for (const { outcomes, latencies } of tallies) {
    for (const [outcome, count] of outcomes) total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + count);
    addLatencies(total.latencies, latencies);
  }
  return total;
}

import { errorCatalogue } from '../../contract/errors.ts';
import { type Outcome, sumTallies, type Tally } from './extraction-tally.ts';
import type { Traffic } from './traffic.ts';

/**
 * Minimum portion of recent requests that failed, and minimum number of recent requests, for a source to count as
 * failing often.
 */
const FAILURE_THRESHOLD = 0.2;
const MIN_REQUESTS = 10;

/** Frequent failures of a source. */
interface FrequentFailures {
  /** Portion of the requests since then that failed. */
  readonly rate: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Returns the failures of a source that fails often; undefined for any other source. */
export function frequentFailures({ recent }: Traffic): FrequentFailures | undefined {
  const intervals = recent.intervals();
  const first = intervals.find((interval) => failuresOf(interval) > 0);
  if (first === undefined) return undefined;
  const tally = sumTallies(intervals.slice(intervals.indexOf(first)));
  const requests = requestsOf(tally);
  const rate = failuresOf(tally) / requests;
  return requests < MIN_REQUESTS || rate < FAILURE_THRESHOLD ? undefined : { rate, since: first.from };
}

/** Whether an outcome is the source's fault, and not a permanent refusal of the requested content. */
export function isFailure(outcome: Outcome): boolean {
  if (outcome === 'success') return false;
  const { origin, retryable } = errorCatalogue[outcome];
  return origin === 'source' && retryable;
}

/** Returns the number of extractions. */
export function requestsOf({ outcomes }: Tally): number {
  return total([...outcomes.values()]);
}

/** Returns the number of extractions that failed through the source's fault. */
export function failuresOf({ outcomes }: Tally): number {
  return total([...outcomes].map(([outcome, count]) => (isFailure(outcome) ? count : 0)));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

import type { ErrorCode } from '../../contract/errors.ts';
import type { SlidingWindow } from '../../counting/sliding-window.ts';
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

/** Extractions of a period, in intervals. */
export type ExtractionWindow = SlidingWindow<Tally>;

/** Counts an extraction that ended now. */
export function countExtraction(window: ExtractionWindow, { outcome, milliseconds, unread }: EndedExtraction): void {
  const tally = window.at();
  if (tally === undefined) return;
  const { outcomes, latencies, drift } = tally;
  add(outcomes, outcome, 1);
  countLatency(latencies, milliseconds);
  const kinds = Object.entries(unread);
  if (kinds.length > 0) drift.responses += 1;
  for (const [kind, entries] of kinds) add(drift.kinds, kind, entries);
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

/** Creates counts without any extraction. */
export function emptyTally(): Tally {
  return { outcomes: new Map(), latencies: emptyLatencies(), drift: { responses: 0, kinds: new Map() } };
}

function add<Key>(counts: Map<Key, number>, key: Key, number: number): void {
  counts.set(key, (counts.get(key) ?? 0) + number);
}

import type { Interval } from '../../counting/sliding-window.ts';
import type { UnreadKinds } from '../../platforms/unread.ts';
import { WHOLE_RESPONSE } from '../unread-of-error.ts';
import { sumTallies, type Tally } from './extraction-tally.ts';
import { requestsOf } from './failures.ts';
import type { Traffic } from './traffic.ts';

/** Number of responses with unread entries in 15 minutes that show a change. */
const MIN_RECENT = 3;

/** Portion of the responses, and numbers of responses, that show a change if there is little traffic. */
const MIN_PORTION = 0.05;
const MIN_REQUESTS = 20;
const MIN_RESPONSES = 2;

/** Signs that a site has changed the shape of its responses. */
export interface Drift {
  /** Start of the interval with the first of these responses, in milliseconds since 1970. */
  readonly since: number;
  /** Number of responses with entries that no parser recognised. */
  readonly responses: number;
  /** Number of these entries by kind. */
  readonly kinds: UnreadKinds;
}

/**
 * Returns the signs that a site has changed: three responses of the last 15 minutes with entries that no parser
 * recognised, or 5 % of at least 20 responses of either window. A single response is no sign. Responses without a kind
 * may also be damaged, so three of them count only if they are 5 % of the last 15 minutes.
 */
export function driftOf({ recent, day }: Traffic): Drift | undefined {
  return driftIn(recent.intervals(), MIN_RECENT) ?? driftIn(day.intervals(), Number.POSITIVE_INFINITY);
}

function driftIn(intervals: readonly Interval<Tally>[], enough: number): Drift | undefined {
  const first = intervals.find(({ drift }) => drift.responses > 0);
  if (first === undefined) return undefined;
  const tally = sumTallies(intervals);
  const { responses, kinds } = tally.drift;
  const named = responses - (kinds.get(WHOLE_RESPONSE) ?? 0);
  if (named < enough && !isFrequent(tally, enough)) return undefined;
  return { since: first.from, responses, kinds: Object.fromEntries(kinds) };
}

function isFrequent(tally: Tally, enough: number): boolean {
  const requests = requestsOf(tally);
  const { responses } = tally.drift;
  const isSign = responses >= enough || (responses >= MIN_RESPONSES && requests >= MIN_REQUESTS);
  return isSign && responses >= MIN_PORTION * requests;
}

import { MillraceError } from '../../../contract/errors.ts';
import { defined } from '../../../parsing/values.ts';
import type { ExtractionContext, SourceClient } from '../../platform.ts';
import { type UnreadKinds, UnreadResponseError } from '../../unread.ts';
import type { Refusal } from '../parse/refusal.ts';
import type { RequestContext } from '../requests.ts';
import type { Pause } from './pause.ts';

/** Maximum number of runs of a whole chain. */
const CYCLES = 3;

/** Minimum remaining milliseconds for another run. */
const CYCLE_MS = 10_000;

/** One extraction: how it requests pages, and how long it waits between two runs of a chain. */
export interface Lookup extends RequestContext {
  readonly pause: Pause;
}

/** Starts the lookup of an extraction. */
export type StartLookup = (context: ExtractionContext) => Lookup;

/** The result of a fallback chain, or the site's refusal. */
export type Outcome<T> =
  | { readonly value: T; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly value?: never };

/** The first result of a fallback chain. */
export interface Found<T> {
  readonly value: T;
  /** Sent the successful requests. */
  readonly source: SourceClient;
  /** The first failure of a strategy. */
  readonly failure?: MillraceError;
  /** The entries that made an earlier strategy fail. */
  readonly unread: UnreadKinds;
}

/** One strategy of a fallback chain. */
export type Strategy<T> = (source: SourceClient) => Promise<Outcome<T>>;

/** A fallback chain: its strategies by name, in order. */
export type Strategies<T> = Readonly<Record<string, Strategy<T>>>;

/**
 * Tries one strategy after the other until one succeeds, then repeats all of them. The site's responses differ between
 * requests, because each request is sent as a new visitor without cookies. Later runs use exits in other countries if
 * the operator has some. If the context names a strategy, only that one is used.
 *
 * @throws MillraceError the site's refusal. If it may depend on the country and no second country has refused too, it is
 * retryable. Otherwise throws the most specific failure.
 */
export async function tryStrategies<T>(
  strategies: Strategies<T>,
  lookup: Lookup,
  { source, countries, sourceIn, signal, strategy: requested }: ExtractionContext,
): Promise<Found<T>> {
  const chain = Object.entries(strategies).flatMap(([name, strategy]) =>
    requested === undefined || requested === name ? [strategy] : [],
  );
  const others = countries.filter((country) => country !== source.country);
  const failures: MillraceError[] = [];
  let hasRefusal = false;
  for (let cycle = 0; cycle < CYCLES && (cycle === 0 || lookup.budget.remaining() >= CYCLE_MS); cycle += 1) {
    if (cycle > 0) await lookup.pause(signal);
    const country = cycle === 0 ? undefined : others[(cycle - 1) % others.length];
    const exit = country === undefined ? source : sourceIn(country);
    const { value, refusal } = await tryOnce(chain, exit, signal, failures);
    if (value !== undefined)
      return { value, source: exit, unread: unreadOf(failures), ...defined({ failure: failures[0] }) };
    if (refusal === undefined) continue;
    if (!refusal.elsewhere || others.length === 0 || hasRefusal) throw refusal.error;
    hasRefusal = true;
    failures.unshift(refusal.error);
  }
  throw mostTelling(failures, hasRefusal);
}

/** Returns what the strategies that failed could not read. The site has changed the pages on which they rely. */
function unreadOf(failures: readonly MillraceError[]): UnreadKinds {
  const [failure] = failures.filter((error) => error instanceof UnreadResponseError);
  return failure?.unread ?? {};
}

/** Tries each strategy until one succeeds, and adds errors to the failures. */
async function tryOnce<T>(
  strategies: readonly Strategy<T>[],
  source: SourceClient,
  signal: AbortSignal,
  failures: MillraceError[],
): Promise<Partial<Outcome<T>>> {
  for (const strategy of strategies) {
    try {
      return await strategy(source);
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      failures.push(error);
    }
  }
  return {};
}

/**
 * Returns whether another request may succeed. The site sometimes requires a sign-in from one visitor and not from the
 * next.
 */
function isPassing(error: unknown): error is MillraceError {
  return error instanceof MillraceError && (error.retryable || error.code === 'signin_required');
}

/**
 * Returns the most specific failure: a refusal or a sign-in wall, then a page that has changed, then the first.
 *
 * @param isUnconfirmed Whether the refusal may depend on the country, and no second country has confirmed it.
 */
function mostTelling(failures: readonly MillraceError[], isUnconfirmed: boolean): MillraceError {
  const rank = (failure: MillraceError) => (failure.retryable ? (failure instanceof UnreadResponseError ? 1 : 2) : 0);
  const [failure] = failures.toSorted((a, b) => rank(a) - rank(b));
  if (failure instanceof UnreadResponseError) return failure;
  if (failure === undefined) {
    return new MillraceError('operation_timeout', 'TikTok took too long to respond. Try again.');
  }
  const { code, message, reason } = failure;
  return new MillraceError(code, message, {
    cause: new AggregateError(failures),
    ...(reason === undefined ? {} : { reason }),
    ...(isUnconfirmed ? { retryable: true } : {}),
  });
}

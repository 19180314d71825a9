import { MillraceError } from '../../../contract/errors.ts';
import { type UnreadKinds, UnreadResponseError, unreadIn } from '../../unread.ts';
import { ThrottleError } from '../parse/refusal.ts';

/** One strategy of a fallback chain. */
export interface Strategy<Name extends string, Value> {
  readonly source: Name;
  /** @throws MillraceError with the reason that this strategy has no result. */
  readonly run: () => Promise<Value>;
}

/** What a fallback chain found. */
export interface ChainResult<Name extends string, Value> {
  readonly value: Value;
  readonly source: Name;
  /** What the strategies that failed could not read. It shows that the site has changed, although there is a result. */
  readonly unread: UnreadKinds;
  /** Why the strategies before it have no result. */
  readonly failures: readonly MillraceError[];
}

/** Failures that concern the requested item itself. Unless they are retryable, no further strategy can succeed. */
const verdicts = new Set<MillraceError['code']>(['not_found', 'age_restricted', 'unavailable', 'signin_required']);

/**
 * Runs one strategy after the other until one succeeds. A definite failure ends the chain. Otherwise throws the most
 * specific failure, with all failures as its cause.
 *
 * @param context `strategy` is the only strategy to run, or absent.
 * @throws MillraceError
 */
export async function tryStrategies<Name extends string, Value>(
  strategies: readonly Strategy<Name, Value>[],
  { signal, strategy }: { readonly signal: AbortSignal; readonly strategy?: string | undefined },
): Promise<ChainResult<Name, Value>> {
  const failures: MillraceError[] = [];
  for (const { source, run } of strategies) {
    if (strategy !== undefined && strategy !== source) continue;
    try {
      return { value: await run(), source, unread: unreadIn(failures), failures };
    } catch (error) {
      if (!(error instanceof MillraceError) || signal.aborted) throw error;
      if (verdicts.has(error.code) && !error.retryable) throw error;
      failures.push(error);
    }
  }
  const failure = mostTelling(failures);
  if (failure === undefined) throw new MillraceError('unexpected_error', 'No strategy is available for Instagram.');
  if (failure instanceof UnreadResponseError) throw failure;
  const { code, message, retryable, reason } = failure;
  const options = { cause: new AggregateError(failures), retryable, ...(reason === undefined ? {} : { reason }) };
  throw new MillraceError(code, message, options);
}

/**
 * Returns the most specific failure. A response that contains the item in an unknown format comes first, because the
 * item exists. Failures that concern the item precede a rate limit, which precedes the login page: that page may mean
 * either a rate limit or a required sign-in.
 */
function mostTelling(failures: readonly MillraceError[]): MillraceError | undefined {
  return (
    failures.find((error) => error instanceof UnreadResponseError) ??
    failures.find(({ code }) => code === 'not_found') ??
    failures.find(({ code }) => code === 'unavailable') ??
    failures.find((error) => error instanceof ThrottleError) ??
    failures.find(({ code }) => code === 'signin_required') ??
    failures[0]
  );
}

import { MillraceError } from '../../../contract/errors.ts';
import { ThrottleError } from '../parse/refusal.ts';

/** One strategy of a fallback chain. */
export interface Strategy<Name extends string, Value> {
  readonly source: Name;
  /** @throws MillraceError with the reason that this strategy has no result. */
  readonly run: () => Promise<Value>;
}

/** Failures that concern the requested item itself. Unless they are retryable, no further strategy can succeed. */
const verdicts = new Set<MillraceError['code']>(['not_found', 'age_restricted', 'unavailable', 'signin_required']);

/**
 * Runs one strategy after the other until one succeeds. A definite failure ends the chain. Otherwise throws the most
 * specific failure, with all failures as its cause.
 *
 * @throws MillraceError
 */
export async function tryStrategies<Name extends string, Value>(
  strategies: readonly Strategy<Name, Value>[],
  signal: AbortSignal,
): Promise<{ readonly value: Value; readonly source: Name }> {
  const failures: MillraceError[] = [];
  for (const { source, run } of strategies) {
    try {
      return { value: await run(), source };
    } catch (error) {
      if (!(error instanceof MillraceError) || signal.aborted) throw error;
      if (verdicts.has(error.code) && !error.retryable) throw error;
      failures.push(error);
    }
  }
  const failure = mostTelling(failures);
  if (failure === undefined) throw new MillraceError('unexpected_error', 'No strategy is available for Instagram.');
  const { code, message, retryable, reason } = failure;
  const options = { cause: new AggregateError(failures), retryable, ...(reason === undefined ? {} : { reason }) };
  throw new MillraceError(code, message, options);
}

/**
 * Returns the most specific failure: one that concerns the requested item; else a rate limit; else the login page,
 * which may mean a rate limit or a required sign-in; else the first failure.
 */
function mostTelling(failures: readonly MillraceError[]): MillraceError | undefined {
  return (
    failures.find(({ code }) => code === 'unavailable') ??
    failures.find((error) => error instanceof ThrottleError) ??
    failures.find(({ code }) => code === 'signin_required') ??
    failures[0]
  );
}

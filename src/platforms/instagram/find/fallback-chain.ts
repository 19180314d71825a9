import { MillraceError } from '../../../contract/errors.ts';
import { ThrottleError } from '../parse/refusal.ts';

/** One way to an answer. */
export interface Strategy<Name extends string, Value> {
  readonly source: Name;
  /** @throws MillraceError that says why this way has no answer. */
  readonly run: () => Promise<Value>;
}

/** Words on what was asked for itself; unless worth a retry, no further way changes them. */
const verdicts = new Set<MillraceError['code']>(['not_found', 'age_restricted', 'unavailable', 'signin_required']);

/**
 * Takes one way after the other until one has the answer. A verdict that is final ends it; otherwise the failure that
 * says most is told, with all of them as its cause.
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
  if (failure === undefined) throw new MillraceError('unexpected_error', 'There is no way to ask Instagram.');
  const { code, message, retryable, reason } = failure;
  const options = { cause: new AggregateError(failures), retryable, ...(reason === undefined ? {} : { reason }) };
  throw new MillraceError(code, message, options);
}

/**
 * News of what was asked for, else a throttle, else the login page, which may stand for either a throttle or a want of
 * a sign-in; else what came first.
 */
function mostTelling(failures: readonly MillraceError[]): MillraceError | undefined {
  return (
    failures.find(({ code }) => code === 'unavailable') ??
    failures.find((error) => error instanceof ThrottleError) ??
    failures.find(({ code }) => code === 'signin_required') ??
    failures[0]
  );
}

import { MillraceError } from '../../contract/errors.ts';

/** One way to an answer. */
export interface Step<Name extends string, Value> {
  readonly source: Name;
  /** @throws MillraceError that says why this way has no answer. */
  readonly take: () => Promise<Value>;
}

/** Words that a further way does not change: the site has said what there is. */
const final = new Set<MillraceError['code']>(['not_found', 'age_restricted', 'unavailable']);

/**
 * Takes one way after the other until one has the answer. A refusal that is final ends it; otherwise the first failure
 * is told, with all of them as its cause.
 *
 * @throws MillraceError
 */
export async function takeSteps<Name extends string, Value>(
  steps: readonly Step<Name, Value>[],
  signal: AbortSignal,
): Promise<{ readonly value: Value; readonly source: Name }> {
  const failures: MillraceError[] = [];
  for (const { source, take } of steps) {
    try {
      return { value: await take(), source };
    } catch (error) {
      if (!(error instanceof MillraceError) || signal.aborted) throw error;
      if (final.has(error.code) || (error.code === 'signin_required' && !error.retryable)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (first === undefined) throw new MillraceError('unexpected_error', 'There is no way to ask Instagram.');
  const { code, message, retryable, reason } = first;
  const told = { cause: new AggregateError(failures), retryable, ...(reason === undefined ? {} : { reason }) };
  throw new MillraceError(code, message, told);
}

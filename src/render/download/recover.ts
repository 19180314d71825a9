import { LinkRefused, type LinkState } from './links/source-link.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { Source } from './source-request.ts';

/**
 * Prepares the next attempt after a failed request: replaces a refused link, and otherwise waits within the retry
 * budget.
 *
 * @throws MillraceError if there is no next attempt.
 */
export async function recover(
  { link, name, signal, onFailure }: Source,
  used: LinkState,
  error: unknown,
  retryBudget: RetryBudget,
): Promise<void> {
  if (!(error instanceof LinkRefused)) return await retryBudget.waitBeforeRetry(error);
  signal.throwIfAborted();
  // Waiting for a new link may exceed the timeout of the input, whose error then contains this one.
  onFailure(name, error);
  await link.replace(used, error, signal);
  onFailure(name, undefined);
}

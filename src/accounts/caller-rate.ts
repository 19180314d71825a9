import type { KeyHolder } from './authenticate.ts';
import type { Ledger } from './ledger.ts';

/**
 * Applies the rate limit of the caller's plan to a request that costs no credits.
 *
 * @throws LimitError `rate_limited`; MillraceError `service_unavailable`.
 */
export async function applyCallerRate(ledger: Ledger, { account, kind }: KeyHolder): Promise<void> {
  const { credits, requestsPerSecond, startsPerSecond } = account.plan;
  const limits =
    kind === 'render' ? { credits: 0, perSecond: startsPerSecond } : { credits, perSecond: requestsPerSecond };
  await ledger.reserve(account.id, limits, 0);
}

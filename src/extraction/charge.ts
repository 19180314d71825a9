import type { Account } from '../accounts/keys.ts';
import type { Ledger, RequestLimits } from '../accounts/ledger.ts';
import type { Allowance } from '../accounts/limit-error.ts';

/** A response that is paid for, and what the account has left. */
export interface Charged<Response> {
  readonly response: Response;
  readonly allowance: Allowance;
}

/**
 * Charges an account for a response whose price is known only afterwards: reserves the maximum, then settles. Costs
 * nothing if there is no response.
 *
 * @param maximum Credits that the response can cost at most.
 * @throws LimitError, and whatever `obtain` throws.
 */
export async function chargeAfterwards<Response extends { readonly price: number }>(
  ledger: Ledger,
  account: Account,
  maximum: number,
  obtain: () => Promise<Response>,
): Promise<Charged<Response>> {
  const reservation = await ledger.reserve(account.id, limitsOf(account), maximum);
  const response = await obtain().catch(async (error: unknown) => {
    await reservation.settle(0);
    throw error;
  });
  return { response, allowance: await reservation.settle(response.price) };
}

/** Returns the limits of an account's requests. */
export function limitsOf({ plan }: Account): RequestLimits {
  return { credits: plan.credits, perSecond: plan.requestsPerSecond };
}

import type { Account } from '../accounts/keys.ts';
import type { Ledger, RequestLimits } from '../accounts/ledger.ts';
import type { Allowance } from '../accounts/limit-error.ts';

/** A response that has been charged, and the remaining allowance of the account. */
interface ChargedResponse<Response> {
  readonly response: Response;
  readonly allowance: Allowance;
}

/**
 * Charges an account for a response whose price is known only afterwards: reserves the maximum, then settles. Charges
 * nothing if there is no response.
 *
 * @param maximum Maximum price of the response in credits.
 * @throws LimitError, and any error of `obtain`.
 */
export async function chargeWithReservation<Response extends { readonly price: number }>(
  ledger: Ledger,
  account: Account,
  maximum: number,
  fetchResponse: () => Promise<Response>,
): Promise<ChargedResponse<Response>> {
  const reservation = await ledger.reserve(account.id, limitsOf(account), maximum);
  const response = await fetchResponse().catch(async (error: unknown) => {
    await reservation.settle(0);
    throw error;
  });
  return { response, allowance: await reservation.settle(response.price) };
}

/** Returns the limits of an account's requests. */
export function limitsOf({ plan }: Account): RequestLimits {
  return { credits: plan.credits, perSecond: plan.requestsPerSecond };
}

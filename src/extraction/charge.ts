import type { Account } from '../accounts/keys.ts';
import type { Ledger, RequestLimits } from '../accounts/ledger.ts';
import type { Allowance } from '../accounts/limit-error.ts';
import type { VisitorCredits } from '../accounts/visitor-credits.ts';

/** Where the credits of callers are counted. */
export interface CreditServices {
  readonly ledger: Ledger;
  /** Limits the credits of visitors of the page. Absent if there are no visitors. */
  readonly visitorCredits?: VisitorCredits | undefined;
}

/** A response that has been charged, and the remaining allowance of the account. */
interface ChargedResponse<Response> {
  readonly response: Response;
  readonly allowance: Allowance;
}

/**
 * Charges an account for a response whose price is known only afterwards: reserves the maximum, then settles. Charges
 * nothing if there is no response. For a visitor of the page, the price also counts towards the visitor's share.
 *
 * @param maximum Maximum price of the response in credits.
 * @throws LimitError, and any error of `obtain`.
 */
export async function chargeWithReservation<Response extends { readonly price: number }>(
  { ledger, visitorCredits }: CreditServices,
  account: Account,
  maximum: number,
  fetchResponse: () => Promise<Response>,
): Promise<ChargedResponse<Response>> {
  const reservation = await ledger.reserve(account.id, limitsOf(account), maximum);
  const { remaining } = reservation.allowance;
  const fetchWithinShare = async () => {
    if (visitorCredits === undefined || account.visitor === undefined || maximum === 0) return await fetchResponse();
    const settleShare = await visitorCredits.reserve(account.visitor, maximum, remaining + maximum);
    return await settleWith(settleShare, fetchResponse);
  };
  const response = await fetchWithinShare().catch(async (error: unknown) => {
    await reservation.settle(0);
    throw error;
  });
  return { response, allowance: await reservation.settle(response.price) };
}

/** Settles a reservation with the price of a response, or with nothing if there is no response. */
async function settleWith<Response extends { readonly price: number }>(
  settle: (cost: number) => Promise<unknown>,
  fetchResponse: () => Promise<Response>,
): Promise<Response> {
  let cost = 0;
  try {
    const response = await fetchResponse();
    cost = response.price;
    return response;
  } finally {
    await settle(cost);
  }
}

/** Returns the limits of an account's requests. */
export function limitsOf({ plan }: Account): RequestLimits {
  return { credits: plan.credits, perSecond: plan.requestsPerSecond };
}

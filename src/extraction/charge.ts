import type { Account } from '../accounts/keys.ts';
import type { Ledger, RequestLimits } from '../accounts/ledger.ts';
import type { Allowance } from '../accounts/limit-error.ts';
import type { ExtractionResult } from '../contract/envelope.ts';
import { priceNote } from './prices.ts';

/** An answer, and its price in credits. */
export interface Priced {
  readonly result: ExtractionResult;
  readonly price: number;
}

/** An answer that is paid for: with what the account has left. */
export type Paid<Answer extends Priced> = Answer & { readonly allowance: Allowance };

/**
 * Lets an account have an answer for its price, which is told in its notes. Nothing is owed where there is no answer.
 *
 * @param highest What the answer can cost at most.
 * @throws LimitError, and whatever `answer` throws.
 */
export async function charge<Answer extends Priced>(
  ledger: Ledger,
  account: Account,
  highest: number,
  answer: () => Promise<Answer>,
): Promise<Paid<Answer>> {
  const reservation = await ledger.reserve(account.id, limitsOf(account), highest);
  const priced = await answer().catch(async (error: unknown) => {
    await reservation.settle(0);
    throw error;
  });
  const { result, price } = priced;
  const allowance = await reservation.settle(price);
  return { ...priced, result: { ...result, notes: [...(result.notes ?? []), priceNote(price)] }, allowance };
}

/** The limits that an account's requests fall under. */
export function limitsOf({ plan }: Account): RequestLimits {
  return { credits: plan.credits, perSecond: plan.requestsPerSecond };
}

import { networksOfOwner } from '../../accounts/owner.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import { createConcurrencyLimit } from '../../waiting/concurrency-limit.ts';

/** Transactions of one owner that the database has at once. A server has ten connections; the embedded engine has one. */
const MAX_PER_OWNER = 4;
/** Time for which a transaction waits for others of its owner. */
const MAX_WAIT_MS = 30_000;
const RETRY_AFTER_S = 5;

/**
 * Creates a function that returns the transactions of an owner. Only a few of an owner's transactions reach the database
 * at once, so that those of other owners do not wait for a long line. All networks of a visitor share their turns.
 *
 * Transactions throw MillraceError `rate_limited` if too many of their owner wait.
 */
export function createOwnerTurns(
  database: Pick<Database, 'transaction'>,
): (owner: string) => Pick<Database, 'transaction'> {
  const turns = createConcurrencyLimit(Number.POSITIVE_INFINITY, MAX_PER_OWNER);
  return (owner) => ({
    async transaction(...work) {
      const signal = AbortSignal.timeout(MAX_WAIT_MS);
      try {
        return await turns.run(() => database.transaction(...work), signal, networksOfOwner(owner).at(-1));
      } catch (error) {
        throw error === signal.reason ? tooManyAtOnceError(error) : error;
      }
    },
  });
}

function tooManyAtOnceError(cause: unknown): MillraceError {
  const message =
    'Too many starts and cancellations of this owner wait for each other. Send fewer at once, and send this one again.';
  return new MillraceError('rate_limited', message, { cause, retryAfter: RETRY_AFTER_S });
}

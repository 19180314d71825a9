import { MillraceError } from '../contract/errors.ts';
import type { Database, Sql } from '../database/database.ts';
import { tierLimit } from '../http/connections/client-network.ts';
import { LimitError } from './limit-error.ts';
import { networksOfVisitor } from './visitor.ts';

/** Portion of the credits left in the month that a visitor can use in a day, and the most for all of a wider network. */
const SHARE = 1 / 50;
const MAX_SHARE = 1 / 10;
/** Credits that a visitor can use in a day however few are left. */
const MIN_CREDITS = 20;
const DAY_MS = 86_400_000;

/** Days for which the credits of a day are kept, from its beginning. Nodes with any clock no longer use them. */
export const keptDays = 2;

/** Limits the credits that each visitor of the page uses in a day (UTC), on all nodes together. */
export interface VisitorCredits {
  /**
   * Reserves credits for a request. Returns the function that charges its cost instead, which must be called once. The
   * credits of a process that is lost in between count as used.
   *
   * @param visitor ID of the visitor, who counts for each network.
   * @param left Credits of the page's account that are left in this month.
   * @throws LimitError `rate_limited` beyond the visitor's share; MillraceError `service_unavailable`.
   */
  reserve(visitor: string, credits: number, left: number): Promise<(cost: number) => Promise<void>>;
}

interface UsedCredits {
  readonly visitor: string;
  readonly credits: number;
}

/** Opens the credits of visitors in a database. */
export function openVisitorCredits(database: Database, now: () => Date = () => new Date()): VisitorCredits {
  return {
    async reserve(visitor, credits, left) {
      const networks = networksOfVisitor(visitor);
      const at = now();
      const day = at.toISOString().slice(0, 10);
      await reportOutage(
        database.transaction(async (sql) => {
          const used = new Map((await add(sql, networks, day, credits)).map((row) => [row.visitor, row.credits]));
          // An error undoes the reservation.
          for (const [tier, network] of networks.entries())
            checkShare(tier, (used.get(network) ?? 0) - credits, credits, left, at);
        }),
      );
      return async (cost) => {
        if (cost !== credits) await reportOutage(add(database, networks, day, cost - credits));
      };
    },
  };
}

/** Adds to the credits of networks. Returns their new credits. */
function add(sql: Sql, networks: readonly string[], day: string, credits: number): Promise<readonly UsedCredits[]> {
  // All statements lock the rows in the same order.
  return sql.query<UsedCredits>(
    `insert into visitor_credits (visitor, day, credits)
     select visitor, $2::date, $3::integer from unnest($1::text[]) as visitor order by visitor
     on conflict (visitor, day) do update set credits = visitor_credits.credits + excluded.credits
     returning visitor, credits`,
    [networks, day, credits],
  );
}

/** @throws LimitError if a network that has used some credits may not use more. */
function checkShare(tier: number, used: number, more: number, left: number, at: Date): void {
  const share = Math.max(MIN_CREDITS, Math.floor(left * SHARE));
  const limit = tierLimit(share, tier, Math.floor(left * MAX_SHARE));
  if (used + more <= limit) return;
  const remaining = Math.max(0, limit - used);
  const reset = Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1_000);
  const [owner, who] = tier === 0 ? ['you have', 'visitor'] : ['your network has', 'network'];
  const message =
    `This request can cost ${more} credit${more === 1 ? '' : 's'}, and ${owner} ${remaining} left of the ${limit} that a ` +
    `${who} may use today. Try again in ${Math.ceil(reset / 3_600)} h.`;
  throw new LimitError('rate_limited', message, { limit, remaining, reset });
}

/** Turns the failure of a query into an error for the caller. */
async function reportOutage<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (cause) {
    if (cause instanceof MillraceError) throw cause;
    const message = 'Your credits of today cannot be checked at the moment. Try again shortly.';
    throw new MillraceError('service_unavailable', message, { cause });
  }
}

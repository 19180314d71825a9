import type { Sql } from '../database/database.ts';

/** What an account has used in a calendar month. */
export interface MonthUsage {
  /** Such as 2026-11 (UTC). */
  readonly month: string;
  /** Those reserved by requests under way included. */
  readonly credits: number;
  /** Requests that the rate limit let through. */
  readonly requests: number;
}

/** What accounts have used. */
export interface Usage {
  /** Of one account: the months there are, the newest first. */
  of(account: string): Promise<readonly MonthUsage[]>;
  /** Of all accounts in one month. */
  during(month: string): Promise<ReadonlyMap<string, MonthUsage>>;
}

/** Reads what was used from a database. */
export function openUsage(sql: Sql): Usage {
  return {
    of: (account) =>
      sql.query<MonthUsage>(
        'select month, spent as credits, requests from account_usage where account = $1 order by month desc',
        [account],
      ),
    async during(month) {
      const found = await sql.query<MonthUsage & { account: string }>(
        'select account, month, spent as credits, requests from account_usage where month = $1',
        [month],
      );
      return new Map(found.map(({ account, ...used }) => [account, used]));
    },
  };
}

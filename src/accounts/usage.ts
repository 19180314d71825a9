import type { MonthUsage } from '../contract/admin-api/api-key.ts';
import type { Sql } from '../database/database.ts';

/** The usage of accounts. */
export interface Usage {
  /** Returns the months of an account, newest first. */
  ofAccount(account: string): Promise<readonly MonthUsage[]>;
  /** Returns one month of all accounts, by account. */
  ofMonth(month: string): Promise<ReadonlyMap<string, MonthUsage>>;
}

/** Opens the usage of a database. */
export function openUsage(sql: Sql): Usage {
  return {
    ofAccount: (account) =>
      sql.query<MonthUsage>(
        'select month, spent as credits, requests from account_usage where account = $1 order by month desc',
        [account],
      ),
    async ofMonth(month) {
      const rows = await sql.query<MonthUsage & { account: string }>(
        'select account, month, spent as credits, requests from account_usage where month = $1',
        [month],
      );
      return new Map(rows.map(({ account, ...usage }) => [account, usage]));
    },
  };
}

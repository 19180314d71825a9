import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/** What the requests of one account want of one month, put together. */
export interface Demand {
  readonly account: string;
  readonly month: string;
  /** Credits of a month. */
  readonly quota: number;
  /** Requests for each second. */
  readonly rate: number;
  /** Requests that want to begin, the credits they reserve together, and what the dearest of them reserves. */
  readonly starts: number;
  readonly credits: number;
  readonly dearest: number;
  /** Credits that finished requests had reserved, and what they cost. */
  readonly reserved: number;
  readonly charged: number;
}

/** What came of a {@link Demand}. */
export interface Supply {
  readonly account: string;
  readonly month: string;
  /** Requests that may begin, and credits reserved for them: at most `dearest` for each. */
  readonly admitted: number;
  readonly granted: number;
  /** Credits that are gone, reserved ones included. */
  readonly spent: number;
  /** Requests that could still begin now; not whole. */
  readonly tokens: number;
}

/** In the order of the function's parameters (0002_accounts.sql). */
const demandColumns = [
  'account',
  'month',
  'quota',
  'rate',
  'starts',
  'credits',
  'dearest',
  'reserved',
  'charged',
] as const satisfies (keyof Demand)[];

const serveStatement = 'select * from serve_demands($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

const openStatement = `
  insert into account_usage (account, month, tokens)
  select * from unnest($1::text[], $2::text[], $3::double precision[]) order by 1, 2 on conflict do nothing`;

const giveBackStatement = `
  with lost as (
    delete from credit_holds where $1 or (node <> $2 and expires_at < now()) returning account, month, credits
  ), sums as (
    select account, month, sum(credits)::integer as credits from lost group by account, month
  )
  update account_usage u set spent = greatest(0, u.spent - s.credits)
  from sums s where u.account = s.account and u.month = s.month and s.credits > 0
  returning s.credits`;

/** The ledger's statements. */
export interface LedgerStatements {
  /** Serves each demand; there is one at most for an account and month. */
  serve(demands: readonly Demand[]): Promise<readonly Supply[]>;
  /** Gives back what lost processes had reserved; `all`: every process, when there can be none but this one. */
  giveBack(all: boolean): Promise<number>;
  /** Forgets the months before one. */
  forgetBefore(month: string): Promise<void>;
}

/** The ledger's statements on a database, for this process. */
export function ledgerStatements(database: Database): LedgerStatements {
  const node = randomUUID();

  const columns = (demands: readonly Demand[], ...names: (keyof Demand)[]) =>
    names.map((name) => demands.map((demand) => demand[name]));
  const serve = (demands: readonly Demand[]) =>
    database.query<Supply>(serveStatement, [node, ...columns(demands, ...demandColumns)]);

  return {
    async serve(demands) {
      const supplies = await serve(demands);
      if (supplies.length === demands.length) return supplies;
      // The first requests of a month.
      const known = new Set(supplies.map(({ account, month }) => `${month} ${account}`));
      const fresh = demands.filter(({ account, month }) => !known.has(`${month} ${account}`));
      await database.query(openStatement, columns(fresh, 'account', 'month', 'rate'));
      return [...supplies, ...(await serve(fresh))];
    },
    async giveBack(all) {
      const returned = await database.query<{ credits: number }>(giveBackStatement, [all, node]);
      return returned.reduce((sum, { credits }) => sum + credits, 0);
    },
    async forgetBefore(month) {
      await database.query('delete from account_usage where month < $1', [month]);
    },
  };
}

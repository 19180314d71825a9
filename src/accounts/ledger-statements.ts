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
  /** Credits to reserve for each request that wants to begin, in the order of arrival. */
  readonly prices: readonly number[];
  /** Credits that stay reserved for requests of this process; what it held beyond that is returned. */
  readonly underWay: number;
  /** What finished requests cost. */
  readonly charged: number;
}

/** The requests of one account and month that cost the same and are paid at once. */
export interface Payments extends Pick<Demand, 'account' | 'month' | 'quota' | 'rate'> {
  readonly starts: number;
  readonly price: number;
}

/** What came of {@link Payments}. */
export interface Receipt extends Pick<Supply, 'account' | 'month' | 'spent' | 'tokens'> {
  /** Requests that the rate limit admitted, and how many of them are paid. */
  readonly admitted: number;
  readonly paid: number;
}

/** What came of a {@link Demand}. */
export interface Supply {
  readonly account: string;
  readonly month: string;
  /** For each request that the rate limit admitted, in the order of `prices`: whether its credits are reserved. */
  readonly granted: readonly boolean[];
  /** Credits that are gone, reserved ones included. */
  readonly spent: number;
  /** Requests that could still begin now; not whole. */
  readonly tokens: number;
}

const serveStatement = 'select * from serve_call($1, $2, $3, $4, $5, $6, $7, $8, $9)';

const payStatement = 'select * from serve_payments($1, $2, $3, $4, $5, $6)';

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
  /**
   * Serves each demand; there is one at most for an account and month. Calls come one after the other: one that failed,
   * and that the server runs after the next one, takes no effect.
   */
  serve(demands: readonly Demand[]): Promise<readonly Supply[]>;
  /** Admits and charges; there is one entry at most for an account and month. */
  pay(payments: readonly Payments[]): Promise<readonly Receipt[]>;
  /** Gives back what lost processes had reserved; `all`: every process, when there can be none but this one. */
  giveBack(all: boolean): Promise<number>;
  /** Forgets the months before one. */
  forgetBefore(month: string): Promise<void>;
}

/** The ledger's statements on a database, for this process. */
export function ledgerStatements(database: Database): LedgerStatements {
  const node = randomUUID();
  /** Tells the server which calls are late. */
  let calls = 0;

  const serve = (demands: readonly Demand[]) => {
    // Arrays of arrays must be rectangular in PostgreSQL, so each list of prices is an array literal.
    const rows = demands.map((demand) => ({ ...demand, prices: `{${demand.prices.join()}}` }));
    const lists = columns(rows, 'account', 'month', 'quota', 'rate', 'prices', 'underWay', 'charged');
    calls += 1;
    return database.query<Supply>(serveStatement, [node, calls, ...lists]);
  };
  const pay = (payments: readonly Payments[]) =>
    database.query<Receipt>(payStatement, columns(payments, 'account', 'month', 'quota', 'rate', 'starts', 'price'));

  /** Serves all; opens the month for those whose first requests these are. */
  async function servedAll<Wish extends Pick<Demand, 'account' | 'month' | 'rate'>, Result extends Wished>(
    wishes: readonly Wish[],
    serveSome: (wishes: readonly Wish[]) => Promise<readonly Result[]>,
  ): Promise<readonly Result[]> {
    const results = await serveSome(wishes);
    if (results.length === wishes.length) return results;
    const known = new Set(results.map(({ account, month }) => `${month} ${account}`));
    const fresh = wishes.filter(({ account, month }) => !known.has(`${month} ${account}`));
    await database.query(openStatement, columns(fresh, 'account', 'month', 'rate'));
    return [...results, ...(await serveSome(fresh))];
  }

  return {
    serve: (demands) => servedAll(demands, serve),
    pay: (payments) => servedAll(payments, pay),
    async giveBack(all) {
      const returned = await database.query<{ credits: number }>(giveBackStatement, [all, node]);
      return returned.reduce((sum, { credits }) => sum + credits, 0);
    },
    async forgetBefore(month) {
      await database.query('delete from account_usage where month < $1', [month]);
    },
  };
}

type Wished = Pick<Demand, 'account' | 'month'>;

/** A list of rows as a list of columns. */
function columns<Row>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/** The reservations and settlements of one account and month in a batch. */
export interface ReservationBatch {
  readonly account: string;
  readonly month: string;
  /** Credits per month. */
  readonly quota: number;
  /** Requests per second. */
  readonly rate: number;
  /** Credits to reserve for each new request, in order of arrival. */
  readonly prices: readonly number[];
  /** Credits that stay reserved for running requests of this process. Credits reserved beyond that are released. */
  readonly reservedCredits: number;
  /** The cost of finished requests. */
  readonly cost: number;
}

/** The payments of one account, month and price in a batch. */
export interface PaymentBatch extends Pick<ReservationBatch, 'account' | 'month' | 'quota' | 'rate'> {
  readonly starts: number;
  readonly price: number;
}

/** The result of a {@link PaymentBatch}. */
export interface PaymentResult extends Pick<ReservationResult, 'account' | 'month' | 'spent' | 'tokens'> {
  /** Number of requests that the rate limit admitted, and how many of them were paid. */
  readonly admitted: number;
  readonly paid: number;
}

/** The result of a {@link ReservationBatch}. */
export interface ReservationResult {
  readonly account: string;
  readonly month: string;
  /** For each request that the rate limit admitted, in the order of `prices`: whether its credits are reserved. */
  readonly granted: readonly boolean[];
  /** Credits spent, including reserved ones. */
  readonly spent: number;
  /** Requests that the rate limit would admit now; may be fractional. */
  readonly tokens: number;
}

const serveStatement = 'select * from serve_call($1, $2, $3, $4, $5, $6, $7, $8, $9)';

const payStatement = 'select * from serve_payments($1, $2, $3, $4, $5, $6)';

const openStatement = `
  insert into account_usage (account, month, tokens)
  select * from unnest($1::text[], $2::text[], $3::double precision[]) order by 1, 2 on conflict do nothing`;

const releaseLostStatement = `
  with lost as (
    delete from credit_holds where $1 or (node <> $2 and expires_at < now()) returning account, month, credits
  ), sums as (
    select account, month, sum(credits)::integer as credits from lost group by account, month
  )
  update account_usage u set spent = greatest(0, u.spent - s.credits)
  from sums s where u.account = s.account and u.month = s.month and s.credits > 0
  returning s.credits`;

/** The ledger's statements. */
interface LedgerStatements {
  /**
   * Serves the batches, at most one for each account and month. Calls must be sequential: they are numbered, and a failed
   * call that the server runs after the next one has no effect.
   */
  serve(batches: readonly ReservationBatch[]): Promise<readonly ReservationResult[]>;
  /** Admits and charges the batches, at most one for each account and month. */
  pay(batches: readonly PaymentBatch[]): Promise<readonly PaymentResult[]>;
  /** Releases the credits of lost processes; with `all`, of every other process. Returns their sum. */
  releaseLost(all: boolean): Promise<number>;
  /** Deletes all months before the given one. */
  deleteBefore(month: string): Promise<void>;
}

/** Creates the ledger's statements on a database, for this process. */
export function ledgerStatements(database: Database): LedgerStatements {
  const node = randomUUID();
  /** Number of calls so far. The server uses it to detect late calls. */
  let calls = 0;

  const serve = (batches: readonly ReservationBatch[]) => {
    // Arrays of arrays must be rectangular in PostgreSQL, so each list of prices is an array literal.
    const rows = batches.map((batch) => ({ ...batch, prices: `{${batch.prices.join()}}` }));
    const lists = columns(rows, 'account', 'month', 'quota', 'rate', 'prices', 'reservedCredits', 'cost');
    calls += 1;
    return database.query<ReservationResult>(serveStatement, [node, calls, ...lists]);
  };
  const pay = (batches: readonly PaymentBatch[]) =>
    database.query<PaymentResult>(
      payStatement,
      columns(batches, 'account', 'month', 'quota', 'rate', 'starts', 'price'),
    );

  /** Serves the batches, and creates the rows of accounts that have no requests in this month yet. */
  async function serveAll<
    Batch extends Pick<ReservationBatch, 'account' | 'month' | 'rate'>,
    Result extends AccountMonth,
  >(
    batches: readonly Batch[],
    serveSome: (batches: readonly Batch[]) => Promise<readonly Result[]>,
  ): Promise<readonly Result[]> {
    const results = await serveSome(batches);
    if (results.length === batches.length) return results;
    const servedKeys = new Set(results.map(({ account, month }) => `${month} ${account}`));
    const missing = batches.filter(({ account, month }) => !servedKeys.has(`${month} ${account}`));
    await database.query(openStatement, columns(missing, 'account', 'month', 'rate'));
    return [...results, ...(await serveSome(missing))];
  }

  return {
    serve: (batches) => serveAll(batches, serve),
    pay: (batches) => serveAll(batches, pay),
    async releaseLost(all) {
      const rows = await database.query<{ credits: number }>(releaseLostStatement, [all, node]);
      return rows.reduce((sum, { credits }) => sum + credits, 0);
    },
    async deleteBefore(month) {
      await database.query('delete from account_usage where month < $1', [month]);
    },
  };
}

type AccountMonth = Pick<ReservationBatch, 'account' | 'month'>;

/** Converts rows to columns. */
function columns<Row>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

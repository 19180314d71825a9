import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stack } from '../../test/support/storage-stack.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { type Ledger, openLedger, type Reservation } from './ledger.ts';
import { type Allowance, LimitError } from './limit-error.ts';
import { openUsage } from './usage.ts';

const log = pino({ level: 'silent' });
const QUOTA = 10;
const limits = { credits: QUOTA, perSecond: 1_000_000 };

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await openTestDatabase();
  // The ledger must never grant more than the plan allows.
  await database.query(`alter table account_usage add constraint never_too_much check (spent <= ${QUOTA})`);
});
afterAll(async () => {
  // Other tests reuse the database.
  await database.query('alter table account_usage drop constraint never_too_much');
  await database.close();
});
beforeEach(async () => {
  for (const table of ['credit_holds', 'account_usage']) await database.query(`delete from ${table}`);
  ledger = await openLedger(database, true, log);
  return () => ledger.close();
});

/** Opens ledgers of other processes, with separate connections. They are closed when the test ends. */
async function otherNodes(count: number): Promise<Ledger[]> {
  const nodes = await Promise.all(Array.from({ length: count }, () => database.openAnother()));
  const ledgers = await Promise.all(nodes.map((node) => openLedger(node, false, log)));
  onTestFinished(async () => {
    for (const each of ledgers) await each.close();
    for (const node of nodes) await node.close();
  });
  return ledgers;
}

const spentCredits = async () => (await openUsage(database).ofAccount('me'))[0]?.credits ?? 0;
const heldCredits = () =>
  database.query<{ credits: number }>('select coalesce(sum(credits), 0)::int as credits from credit_holds');

/** Returns the number of statements that wait for a lock. */
const waiters = () =>
  database.query(`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);

/** Returns the quota error of a request; rethrows any other error. */
function refusalOf(error: unknown): LimitError {
  if (error instanceof LimitError && error.code === 'quota_exceeded') return error;
  throw error;
}

const reserve = (price: number, of = ledger) => of.reserve('me', limits, price).catch(refusalOf);
const pay = (price: number, of = ledger) => of.pay('me', limits, price).catch(refusalOf);

/** Returns the remaining credits that an outcome reports. */
function remainingOf(outcome: Reservation | Allowance | LimitError): number {
  return ('allowance' in outcome ? outcome.allowance : outcome).remaining;
}

describe('a request that exceeds the remaining credits', () => {
  test('reserves no credits and reports how many are left', async () => {
    await reserve(7);
    const refusal = await reserve(5);
    expect(refusal).toMatchObject({ code: 'quota_exceeded', allowance: { limit: 10, remaining: 3 } });
    expect(String(refusal)).toMatch(/10 credits.* 3 are left, and this request can cost 5\./);
    expect([await spentCredits(), await heldCredits()]).toEqual([7, [{ credits: 7 }]]);
  });

  test.each(['reserved', 'paid'] as const)('leaves these credits to the next request, which is %s', async (how) => {
    await reserve(7);
    const outcomes = await Promise.all([reserve(5), how === 'reserved' ? reserve(3) : pay(3)]);
    expect(outcomes.map((outcome) => outcome instanceof LimitError)).toEqual([true, false]);
    expect(await spentCredits()).toBe(10);
  });

  test('leaves these credits to a request that arrives during the refusal', async () => {
    await reserve(9);
    const refused = reserve(2);
    const other = (await otherNodes(1))[0];
    expect(remainingOf(await refused)).toBe(1);
    expect(await reserve(1, other)).toMatchObject({ allowance: { remaining: 0 } });
  });

  test.each(['reserved', 'paid'] as const)('can be retried if reserved credits may be enough (%s)', async (how) => {
    const running = (await reserve(9)) as Reservation;
    const ask = () => (how === 'reserved' ? reserve(4) : pay(4));
    const refusal = await ask();
    expect(refusal).toMatchObject({ code: 'quota_exceeded', retryable: true, retryAfter: 5 });
    expect(String(refusal)).toMatch(
      / 1 is left, and this request can cost 4\. 9 more are reserved for running requests/,
    );
    await running.settle(0);
    expect(remainingOf(await ask())).toBe(6);
  });

  test('waits for the next month if running requests cannot release enough', async () => {
    await pay(8);
    await reserve(1);
    expect(await reserve(3)).toMatchObject({
      retryable: false,
      message: expect.stringContaining('next calendar month'),
    });
  });

  test('states one remaining credit in the singular', async () => {
    await reserve(9);
    expect(String(await reserve(2))).toContain(' 1 is left, and this request can cost 2.');
  });
});

describe('returned credits', () => {
  test('include the credits of a grant whose response was lost', async () => {
    let isCut = false;
    const cutOff: Database = {
      ...database,
      async query(text, parameters) {
        const rows = await database.query<never>(text, parameters);
        if (isCut) throw new Error('the connection broke before the answer arrived');
        return rows;
      },
    };
    const mine = await openLedger(cutOff, false, log);
    onTestFinished(() => mine.close());
    const before = (await reserve(2, mine)) as Reservation;
    isCut = true;
    await expect(mine.reserve('me', limits, 7)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await spentCredits()).toBe(9);
    isCut = false;
    expect(await reserve(8, mine)).toMatchObject({ allowance: { remaining: 0 } });
    expect(await before.settle(1)).toMatchObject({ remaining: 1 });
  });

  test('are available to a request of the same batch and to the next one', async () => {
    const reservation = await ledger.reserve('me', limits, 10);
    const outcomes = await Promise.all([reservation.settle(4), reserve(6)]);
    expect(outcomes.map(remainingOf)).toEqual([0, 0]);
    await (outcomes[1] as Reservation).settle(0);
    expect(await pay(6)).toMatchObject({ remaining: 0 });
  });
});

// The embedded database has one connection, so nothing there can wait for a lock.
test.skipIf(stack === 'embedded')('credits that another node is returning are not returned twice', async () => {
  const reservation = await ledger.reserve('me', limits, 6);
  await ledger.pay('me', limits, 4);
  const other = await database.openAnother();
  onTestFinished(() => other.close());
  const settled = await other.transaction(async (sql) => {
    await sql.query('delete from credit_holds');
    await sql.query('update account_usage set spent = spent - 6');
    const settling = reservation.settle(2);
    await expect.poll(waiters).toEqual([{ count: 1 }]);
    return { settling };
  });
  expect(await settled.settling).toMatchObject({ remaining: 4 });
  expect([await spentCredits(), await heldCredits()]).toEqual([6, [{ credits: 0 }]]);
});

test('concurrent requests of 1, 2 and 3 credits use up the allowance exactly', async () => {
  const nodes = [ledger, ...(await otherNodes(3))];
  const random = seededRandom(16);
  for (let round = 0; round < 25; round += 1) {
    await database.query('delete from account_usage');
    // Most requests are expensive, so that some are refused while one credit is left.
    const asks = Array.from({ length: 12 }, () => [3, 3, 3, 2, 1][Math.floor(random() * 5)] ?? 3);
    const inTurn = nodes.map(async (node, turn) => {
      const outcomes: { price: number; outcome: Reservation | Allowance | LimitError }[] = [];
      for (const [place, price] of asks.entries()) {
        if (place % nodes.length !== turn) continue;
        outcomes.push({ price, outcome: await (random() < 0.2 ? pay(price, node) : reserve(price, node)) });
      }
      return outcomes;
    });
    const outcomes = (await Promise.all(inTurn)).flat();
    const granted = outcomes.filter(({ outcome }) => !(outcome instanceof LimitError));
    const left = QUOTA - granted.reduce((sum, { price }) => sum + price, 0);
    expect(await spentCredits()).toBe(QUOTA - left);
    // No credits are returned here, so the remaining credits are always the quota or the remainder after some grant,
    // and never fewer than at the end.
    const states = new Set([QUOTA, ...granted.map(({ outcome }) => remainingOf(outcome))]);
    for (const { price, outcome } of outcomes) {
      if (!(outcome instanceof LimitError)) continue;
      expect(states).toContain(remainingOf(outcome));
      expect(remainingOf(outcome)).toBeLessThan(price);
      expect(left).toBeLessThan(price);
    }
  }
});

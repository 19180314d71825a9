import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { monthOf } from './billing-month.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { LimitError } from './limit-error.ts';
import { openUsage } from './usage.ts';

const log = pino({ level: 'silent' });
const limits = { credits: 10, perSecond: 1_000 };

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['credit_holds', 'account_usage']) await database.query(`delete from ${table}`);
  ledger = await openLedger(database, true, log);
  return () => ledger.close();
});

/** Opens the ledger of another process, with separate connections. It is closed when the test ends. */
async function otherNode(): Promise<Ledger> {
  const node = await database.openAnother();
  const other = await openLedger(node, false, log);
  onTestFinished(async () => {
    await other.close();
    await node.close();
  });
  return other;
}

const spentCredits = async (account = 'me') => (await openUsage(database).ofAccount(account))[0]?.credits;
const holds = () => database.query<{ credits: number }>('select credits from credit_holds');
const codeOf = (error: unknown) => (error instanceof LimitError ? error.code : error);

/** Starts requests concurrently; returns their outcomes. */
function race(count: number, price: number, of: Ledger = ledger, more = limits) {
  return Promise.all(Array.from({ length: count }, () => of.reserve('me', more, price).catch(codeOf)));
}

describe('credits', () => {
  test('are reserved, then charged, and the excess is returned', async () => {
    const reservation = await ledger.reserve('me', limits, 5);
    expect(reservation.allowance).toMatchObject({ limit: 10, remaining: 5 });
    expect(await spentCredits()).toBe(5);
    expect(await reservation.settle(2)).toMatchObject({ limit: 10, remaining: 8 });
    expect(await spentCredits()).toBe(2);
    expect(await holds()).toEqual([{ credits: 0 }]);
  });

  test('are returned in full if a request costs nothing', async () => {
    await (await ledger.reserve('me', limits, 5)).settle(0);
    expect(await spentCredits()).toBe(0);
  });

  test('are never overspent: 200 requests for the last 10', async () => {
    const outcomes = await race(200, 1);
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(190);
    expect(await spentCredits()).toBe(10);
  });

  test('are never overspent by two concurrent processes', async () => {
    const other = await otherNode();
    const outcomes = (await Promise.all([race(100, 1), race(100, 1, other)])).flat();
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(190);
    expect(await spentCredits()).toBe(10);
  });

  test('that are too few for an expensive request remain for a cheap one', async () => {
    const outcomes = await Promise.all(
      [4, 4, 4, 2].map((price) => ledger.reserve('me', limits, price).then(() => 'granted', codeOf)),
    );
    expect(outcomes).toEqual(['granted', 'granted', 'quota_exceeded', 'granted']);
    expect(await spentCredits()).toBe(10);
  });

  test('that were granted but not used are returned', async () => {
    await race(2, 4);
    await race(1, 4);
    await vi.waitFor(async () => expect(await spentCredits()).toBe(8), { timeout: 60_000 });
    expect(await race(1, 2)).toEqual([expect.objectContaining({ allowance: expect.anything() })]);
  });

  test('are separate for each account', async () => {
    await race(10, 1);
    await ledger.reserve('you', limits, 10);
    expect([await spentCredits(), await spentCredits('you')]).toEqual([10, 10]);
  });

  test('stay spent when the plan is reduced', async () => {
    await race(10, 1);
    expect(await race(1, 1, ledger, { credits: 5, perSecond: 10 })).toEqual(['quota_exceeded']);
    expect(await spentCredits()).toBe(10);
  });

  test('of a past month are settled in that month', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 30, 23, 59) });
    try {
      const reservation = await ledger.reserve('me', limits, 5);
      vi.setSystemTime(Date.UTC(2026, 11, 1));
      await race(3, 1);
      await reservation.settle(1);
      expect(await openUsage(database).ofAccount('me')).toEqual([
        { month: '2026-12', credits: 3, requests: 3 },
        { month: '2026-11', credits: 1, requests: 1 },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a process that is lost between reserving and settling', () => {
  test('leaves nothing reserved at the next start, and keeps its charges', async () => {
    await (await ledger.reserve('me', limits, 3)).settle(3);
    await ledger.reserve('me', limits, 5);
    expect(await spentCredits()).toBe(8);
    await (await openLedger(database, true, log)).close();
    expect(await spentCredits()).toBe(3);
    expect(await holds()).toEqual([]);
  });

  test('keeps its credits from others until its reservation expires', async () => {
    await ledger.reserve('me', limits, 10);
    const other = await openLedger(database, false, log);
    expect(await race(1, 1, other)).toEqual(['quota_exceeded']);
    await database.query(`update credit_holds set expires_at = now() - interval '1 second'`);
    await other.close();
    const third = await openLedger(database, false, log);
    expect(await spentCredits()).toBe(0);
    await third.close();
  });

  test('pays for its reservation if it comes back', async () => {
    const reservation = await ledger.reserve('me', limits, 5);
    await (await openLedger(database, true, log)).close();
    expect(await spentCredits()).toBe(0);
    await reservation.settle(2);
    expect(await spentCredits()).toBe(2);
  });
});

describe('the rate limit', () => {
  const slow = { credits: 100, perSecond: 2 };

  test('admits the requests of one second and states when to retry', async () => {
    const outcomes = await race(5, 1, ledger, slow);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(3);
    expect(await spentCredits()).toBe(2);
    // This stops the clock of the rate limit, however long this test takes.
    await database.query(`update account_usage set tokens = 0, filled_at = now() + interval '1 hour'`);
    const refusal: unknown = await ledger.reserve('me', slow, 1).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ retryAfter: 1, allowance: { limit: 2, remaining: 0, reset: 1 } });
  });

  test('is shared by two processes, whatever the requests cost', async () => {
    // This stops the clock of the rate limit, however long this test takes.
    await race(1, 0, ledger, slow);
    await database.query(`update account_usage set tokens = 2, filled_at = now() + interval '1 hour'`);
    const other = await otherNode();
    const outcomes = (await Promise.all([race(20, 0, ledger, slow), race(20, 0, other, slow)])).flat();
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(38);
  });

  test("admits more requests as time passes, but never more than one second's worth", async () => {
    await race(5, 1, ledger, slow);
    await database.query(`update account_usage set filled_at = filled_at - interval '1 hour'`);
    const outcomes = await race(5, 1, ledger, slow);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(3);
  });

  test('applies to free requests, too', async () => {
    const outcomes = await race(3, 0, ledger, { credits: 0, perSecond: 2 });
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(1);
    expect(await openUsage(database).ofMonth(monthOf(new Date()))).toEqual(
      new Map([['me', { month: monthOf(new Date()), credits: 0, requests: 2 }]]),
    );
  });
});

test('an unreachable database is reported as such', async () => {
  const broken: Database = { ...database, query: () => Promise.reject(new Error('gone')) };
  await expect(openLedger(broken, true, log)).rejects.toThrow('gone');
  let fails = false;
  const failing: Database = {
    ...database,
    query: (text, parameters) => (fails ? broken.query(text) : database.query(text, parameters)),
  };
  const mine = await openLedger(failing, true, log);
  fails = true;
  await expect(mine.reserve('me', limits, 1)).rejects.toMatchObject({ code: 'service_unavailable' });
  await mine.close();
});

describe('payments', () => {
  /** Starts requests with known prices concurrently; returns their outcomes. */
  const payAll = (prices: readonly number[], more = limits, of: Ledger = ledger) =>
    Promise.all(prices.map((price) => of.pay('me', more, price).then(() => 'paid', codeOf)));

  test('are charged immediately without a reservation', async () => {
    expect(await ledger.pay('me', limits, 2)).toMatchObject({ limit: 10, remaining: 8 });
    expect(await ledger.pay('me', limits, 0)).toMatchObject({ remaining: 8 });
    expect([await spentCredits(), await holds()]).toEqual([2, []]);
  });

  test('are never overspent: 200 requests for the last 10', async () => {
    const outcomes = await payAll(Array.from({ length: 200 }, () => 1));
    expect(outcomes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'paid'));
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(190);
    expect(await spentCredits()).toBe(10);
  });

  test('with several prices from several processes stay correct alongside reservations', async () => {
    const other = await openLedger(database, false, log);
    try {
      const dear = payAll(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 2 : 5)));
      const cheap = payAll(
        Array.from({ length: 40 }, () => 1),
        limits,
        other,
      );
      const reserved = (await race(40, 1)).filter((outcome) => typeof outcome === 'object').length;
      const paid = [...(await dear).map((outcome, index) => (outcome === 'paid' ? (index % 2 === 0 ? 2 : 5) : 0))];
      const sum = paid.reduce((total: number, price) => total + price, 0);
      const cheapPaid = (await cheap).filter((outcome) => outcome === 'paid').length;
      expect(sum + cheapPaid + reserved).toBeLessThanOrEqual(10);
      expect(await spentCredits()).toBe(sum + cheapPaid + reserved);
    } finally {
      await other.close();
    }
  });

  test('are subject to the rate limit', async () => {
    const outcomes = await payAll([1, 1, 1, 1], { credits: 10, perSecond: 2 });
    expect(outcomes).toEqual(['paid', 'paid', 'rate_limited', 'rate_limited']);
    expect(await spentCredits()).toBe(2);
  });

  test('are refused while the database is unreachable', async () => {
    const broken = vi.spyOn(database, 'query').mockRejectedValue(new Error('gone'));
    await expect(ledger.pay('me', limits, 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    broken.mockRestore();
  });
});

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

/** The ledger of another process, with connections of its own; closed with the test. */
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

/** Lets requests begin at the same time; gives what became of each. */
function race(count: number, price: number, of: Ledger = ledger, more = limits) {
  return Promise.all(Array.from({ length: count }, () => of.reserve('me', more, price).catch(codeOf)));
}

describe('credits', () => {
  test('are reserved, then taken, and what was too much comes back', async () => {
    const reservation = await ledger.reserve('me', limits, 5);
    expect(reservation.allowance).toMatchObject({ limit: 10, remaining: 5 });
    expect(await spentCredits()).toBe(5);
    expect(await reservation.settle(2)).toMatchObject({ limit: 10, remaining: 8 });
    expect(await spentCredits()).toBe(2);
    expect(await holds()).toEqual([{ credits: 0 }]);
  });

  test('come back whole where a request costs nothing', async () => {
    await (await ledger.reserve('me', limits, 5)).settle(0);
    expect(await spentCredits()).toBe(0);
  });

  test('are never more than there are: 200 requests for the last 10', async () => {
    const outcomes = await race(200, 1);
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(190);
    expect(await spentCredits()).toBe(10);
  });

  test('are never more than there are, for two processes at once', async () => {
    const other = await otherNode();
    const outcomes = (await Promise.all([race(100, 1), race(100, 1, other)])).flat();
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(190);
    expect(await spentCredits()).toBe(10);
  });

  test('too few for a dear request are left to a cheap one', async () => {
    const outcomes = await Promise.all(
      [4, 4, 4, 2].map((price) => ledger.reserve('me', limits, price).then(() => 'granted', codeOf)),
    );
    expect(outcomes).toEqual(['granted', 'granted', 'quota_exceeded', 'granted']);
    expect(await spentCredits()).toBe(10);
  });

  test('that were granted and suit nobody go back', async () => {
    await race(2, 4);
    await race(1, 4);
    await vi.waitFor(async () => expect(await spentCredits()).toBe(8));
    expect(await race(1, 2)).toEqual([expect.objectContaining({ allowance: expect.anything() })]);
  });

  test('of one account are not those of another', async () => {
    await race(10, 1);
    await ledger.reserve('you', limits, 10);
    expect([await spentCredits(), await spentCredits('you')]).toEqual([10, 10]);
  });

  test('stay spent when the plan becomes smaller', async () => {
    await race(10, 1);
    expect(await race(1, 1, ledger, { credits: 5, perSecond: 10 })).toEqual(['quota_exceeded']);
    expect(await spentCredits()).toBe(10);
  });

  test('of a month that is over are settled there', async () => {
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
  test('leaves nothing reserved at the next start, and what was taken stays taken', async () => {
    await (await ledger.reserve('me', limits, 3)).settle(3);
    await ledger.reserve('me', limits, 5);
    expect(await spentCredits()).toBe(8);
    await (await openLedger(database, true, log)).close();
    expect(await spentCredits()).toBe(3);
    expect(await holds()).toEqual([]);
  });

  test('keeps its credits from others until its hold expires', async () => {
    await ledger.reserve('me', limits, 10);
    const other = await openLedger(database, false, log);
    expect(await race(1, 1, other)).toEqual(['quota_exceeded']);
    await database.query(`update credit_holds set expires_at = now() - interval '1 second'`);
    await other.close();
    const third = await openLedger(database, false, log);
    expect(await spentCredits()).toBe(0);
    await third.close();
  });

  test('but comes back, pays for what it had reserved', async () => {
    const reservation = await ledger.reserve('me', limits, 5);
    await (await openLedger(database, true, log)).close();
    expect(await spentCredits()).toBe(0);
    await reservation.settle(2);
    expect(await spentCredits()).toBe(2);
  });
});

describe('the rate', () => {
  const slow = { credits: 100, perSecond: 2 };

  test('lets as many requests through as a second has, and tells when to come again', async () => {
    const outcomes = await race(5, 1, ledger, slow);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(3);
    expect(await spentCredits()).toBe(2);
    // Time stands still for it, however long this test takes.
    await database.query(`update account_usage set tokens = 0, filled_at = now() + interval '1 hour'`);
    const refusal: unknown = await ledger.reserve('me', slow, 1).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ retryAfter: 1, allowance: { limit: 2, remaining: 0, reset: 1 } });
  });

  test('is one for two processes at once, whatever it costs', async () => {
    // Time stands still for it, however long this test takes.
    await race(1, 0, ledger, slow);
    await database.query(`update account_usage set tokens = 2, filled_at = now() + interval '1 hour'`);
    const other = await otherNode();
    const outcomes = (await Promise.all([race(20, 0, ledger, slow), race(20, 0, other, slow)])).flat();
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(38);
  });

  test('lets more through as time goes by, never more than a second has', async () => {
    await race(5, 1, ledger, slow);
    await database.query(`update account_usage set filled_at = filled_at - interval '1 hour'`);
    const outcomes = await race(5, 1, ledger, slow);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(3);
  });

  test('holds for what costs nothing, too', async () => {
    const outcomes = await race(3, 0, ledger, { credits: 0, perSecond: 2 });
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(1);
    expect(await openUsage(database).ofMonth(monthOf(new Date()))).toEqual(
      new Map([['me', { month: monthOf(new Date()), credits: 0, requests: 2 }]]),
    );
  });
});

test('a database that is out of reach is told as that', async () => {
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
  /** Lets requests of known prices begin at the same time; gives what became of each. */
  const payAll = (prices: readonly number[], more = limits, of: Ledger = ledger) =>
    Promise.all(prices.map((price) => of.pay('me', more, price).then(() => 'paid', codeOf)));

  test('are taken at once, and nothing is held', async () => {
    expect(await ledger.pay('me', limits, 2)).toMatchObject({ limit: 10, remaining: 8 });
    expect(await ledger.pay('me', limits, 0)).toMatchObject({ remaining: 8 });
    expect([await spentCredits(), await holds()]).toEqual([2, []]);
  });

  test('are never more than there are: 200 requests for the last 10', async () => {
    const outcomes = await payAll(Array.from({ length: 200 }, () => 1));
    expect(outcomes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'paid'));
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(190);
    expect(await spentCredits()).toBe(10);
  });

  test('of several prices, of several processes, and beside reservations stay right', async () => {
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

  test('fall under the rate limit', async () => {
    const outcomes = await payAll([1, 1, 1, 1], { credits: 10, perSecond: 2 });
    expect(outcomes).toEqual(['paid', 'paid', 'rate_limited', 'rate_limited']);
    expect(await spentCredits()).toBe(2);
  });

  test('are refused while the database is out of reach', async () => {
    const broken = vi.spyOn(database, 'query').mockRejectedValue(new Error('gone'));
    await expect(ledger.pay('me', limits, 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    broken.mockRestore();
  });
});

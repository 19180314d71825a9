import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { openVisitorCredits } from './visitor-credits.ts';

let database: TestDatabase;
let now = new Date('2026-11-30T18:30:00Z');
const credits = () => openVisitorCredits(database, () => now);

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  now = new Date('2026-11-30T18:30:00Z');
  await database.query('delete from visitor_credits');
});

/** Returns how many credits visitors can use, one after the other, in requests of a price. */
async function used(visitors: readonly string[], left: number, price: number): Promise<number> {
  let total = 0;
  for (const visitor of visitors) {
    for (;;) {
      const reservation = credits().reserve(visitor, price, left);
      if ((await reservation.catch(() => undefined)) === undefined) break;
      total += price;
    }
  }
  return total;
}

/** Visitors in networks of one /56, and of one /48. */
const inMiddle = Array.from({ length: 6 }, (_, index) => `wide.middle.${index}`);
const inWide = Array.from({ length: 8 }, (_, index) => `wide.${index}.0`);

describe('the share of a day', () => {
  test.each([
    [200_000, 4_000, 16_000, 20_000],
    [10_000, 200, 800, 1_000],
    [1_000, 20, 80, 100],
    [500, 20, 50, 50],
    [100, 20, 20, 20],
  ])(
    'of %i credits that are left is %i for a visitor, %i for a /56 and %i for a /48',
    async (left, one, middle, wide) => {
      const price = one / 20;
      const inRequests = (limit: number) => Math.floor(limit / price) * price;
      expect(await used(['203.0.113.1'], left, price)).toBe(one);
      expect(await used(inMiddle, left, price)).toBe(inRequests(middle));
      await database.query('delete from visitor_credits');
      expect(await used(inWide, left, price)).toBe(inRequests(wide));
    },
  );

  test('is available again on the next day in UTC', async () => {
    expect(await used(['a'], 100, 5)).toBe(20);
    now = new Date('2026-12-01T00:00:00Z');
    expect(await used(['a'], 100, 5)).toBe(20);
  });

  test('is kept exactly by concurrent requests, of which refused ones count nothing', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => credits().reserve(`w.m.${index % 10}`, 2, 500)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
    const rows = await database.query<{ sum: number }>(
      "select sum(credits)::integer as sum from visitor_credits where visitor = 'w'",
    );
    expect(rows).toEqual([{ sum: 50 }]);
  });
});

test('a request counts what it costs, not what it could have cost', async () => {
  for (let request = 0; request < 50; request += 1) await (await credits().reserve('a', 5, 100))(0);
  await (await credits().reserve('a', 5, 100))(2);
  expect(await used(['a'], 100, 5)).toBe(15);
});

test('the error states the remaining credits, and when there are more', async () => {
  await credits().reserve('wide.middle.one', 18, 500);
  await expect(credits().reserve('wide.middle.one', 5, 500)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 19_800,
    allowance: { limit: 20, remaining: 2, reset: 19_800 },
    message:
      'This request can cost 5 credits, and you have 2 left of the 20 that a visitor may use today. Try again in 6 h.',
  });
  await credits().reserve('wide.middle.two', 20, 500);
  await expect(credits().reserve('wide.middle.three', 20, 500)).rejects.toMatchObject({
    message: expect.stringContaining('your network has 12 left of the 50 that a network may use today'),
  });
});

test('a database that does not respond leads to service_unavailable', async () => {
  const failing = { ...database, transaction: () => Promise.reject(new Error('no connection')) };
  await expect(openVisitorCredits(failing).reserve('a', 1, 100)).rejects.toMatchObject({ code: 'service_unavailable' });
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createInMemoryCounts } from './in-memory-counts.ts';
import type { CountedRequest, ReplacementCounts } from './replacement-counts.ts';
import { openStoredCounts } from './stored-counts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await database.query('delete from link_replacements');
});

const request: CountedRequest = { subject: 'p1-job', item: 'item' };
const ofInput = (index: number, start = 'first'): CountedRequest => ({ ...request, input: { start, index } });

/** Counts requests one after the other, and returns which of them may be sent. */
async function takeAll(counts: ReplacementCounts, requests: readonly CountedRequest[]): Promise<boolean[]> {
  const results: boolean[] = [];
  for (const each of requests) results.push(await counts.take(each));
  return results;
}

/** Counts, and how a test lets hours pass. */
interface Counting {
  readonly counts: ReplacementCounts;
  pass(hours: number): Promise<unknown>;
}

const implementations: Record<string, () => Counting> = {
  'counts in a database': () => ({
    counts: openStoredCounts(database),
    pass: (hours) =>
      database.query("update link_replacements set requested_at = requested_at - $1::integer * interval '1 hour'", [
        hours,
      ]),
  }),
  'counts in memory': () => {
    let now = 0;
    return {
      counts: createInMemoryCounts(() => now),
      async pass(hours) {
        now += hours * 3_600_000;
      },
    };
  },
};

describe.each(Object.entries(implementations))('%s', (_name, open) => {
  test('allow four requests in 24 hours', async () => {
    const { counts, pass } = open();
    const five = Array.from({ length: 5 }, () => request);
    expect(await takeAll(counts, five)).toEqual([true, true, true, true, false]);
    await pass(23);
    expect(await counts.take(request)).toBe(false);
    await pass(1);
    expect(await takeAll(counts, five)).toEqual([true, true, true, true, false]);
  });

  test('allow two replacements of an input, and two of each other input', async () => {
    const { counts } = open();
    expect(await takeAll(counts, [ofInput(0), ofInput(0), ofInput(0)])).toEqual([true, true, false]);
    expect(await takeAll(counts, [ofInput(1), ofInput(1), ofInput(1)])).toEqual([true, true, false]);
  });

  test('allow an input of a restarted job two more replacements, but no more than four in total', async () => {
    const { counts } = open();
    expect(await takeAll(counts, [ofInput(0), ofInput(0), ofInput(0)])).toEqual([true, true, false]);
    const restarted = ofInput(0, 'second');
    expect(await takeAll(counts, [restarted, restarted, restarted])).toEqual([true, true, false]);
    expect(await counts.take(ofInput(0, 'third'))).toBe(false);
  });

  test('do not count a refused request', async () => {
    const { counts, pass } = open();
    await takeAll(counts, [request, request, request, request]);
    await pass(20);
    expect(await counts.take(request)).toBe(false);
    await pass(4);
    expect(await takeAll(counts, [request, request, request, request])).toEqual([true, true, true, true]);
  });

  test('are separate for each sealed URL and each item', async () => {
    const { counts } = open();
    await takeAll(counts, [request, request, request, request]);
    expect(await counts.take({ ...request, subject: 'p1-other' })).toBe(true);
    expect(await counts.take({ ...request, item: 'other' })).toBe(true);
    expect(await counts.take(request)).toBe(false);
  });

  test('allow no more requests if many are sent concurrently', async () => {
    const { counts } = open();
    const results = await Promise.all(Array.from({ length: 20 }, () => counts.take(request)));
    expect(results.filter((allowed) => allowed)).toHaveLength(4);
  });
});

test('counts in a database apply to all nodes together and outlive a restart', async () => {
  const other = await database.openAnother();
  const nodes = [openStoredCounts(database), openStoredCounts(other)];
  const results = await Promise.all(Array.from({ length: 10 }, () => nodes.map((node) => node.take(request))).flat());
  expect(results.filter((allowed) => allowed)).toHaveLength(4);
  expect(await openStoredCounts(database).take(request)).toBe(false);
  await other.close();
});

test('counts in memory refuse further URLs when they are full', async () => {
  let now = 0;
  const counts = createInMemoryCounts(() => now, 2);
  const take = (subject: string) => counts.take({ ...request, subject });
  expect([await take('a'), await take('b'), await take('c'), await take('a')]).toEqual([true, true, false, true]);
  now += 24 * 3_600_000;
  expect(await take('c')).toBe(true);
});

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { deleteExpiredDescriptions } from '../sweeper/delete-expired.ts';
import { testSealer } from '../testing/job-database.ts';
import {
  implementationNames,
  jobStoreImplementations,
  jobWithId,
  type TestJobStore,
} from '../testing/job-store-implementations.ts';
import type { LongOrder } from './execution-url.ts';
import { openStoredDescriptions } from './stored-descriptions.ts';
import { openStoredOrders } from './stored-orders.ts';

/** Returns an order with an ID that consists of one character. */
function longOrder(character: string, expiresAt = Date.now() + 60_000): LongOrder {
  const description = {
    id: `p1-${character}`,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4', requestOptions: { headers: { cookie: 'secret=1' } } }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' as const },
  };
  const origin = {
    platform: 'p1',
    endpoint: '/video/details',
    parameters: { videoId: character },
    content: 0,
    representations: [{ repId: '22', kind: 'muxed' as const }],
  };
  return {
    orderId: character.repeat(22),
    order: { description, exit: 'fr-1', origin, owner: 'extraction:1', expiresAt },
  };
}

const plan = { jobsAtOnce: 1 };
const [one, two] = [longOrder('1'), longOrder('2')];

describe.each(implementationNames)('stored orders in %s', (name) => {
  let store: TestJobStore;
  beforeAll(async () => {
    store = await jobStoreImplementations[name](2);
  });
  afterAll(() => store.close());

  test('are found by their IDs, unchanged', async () => {
    await store.storedOrders.live.store([one, two], plan);
    for (const { orderId, order } of [one, two]) expect(await store.storedOrders.live.find(orderId)).toEqual(order);
  });

  test.each(['', '3'.repeat(22), '1'.repeat(21), `${'1'.repeat(22)}x`])(
    'are not found by the ID %j',
    async (orderId) => {
      expect(await store.storedOrders.live.find(orderId)).toBeUndefined();
    },
  );

  test('are not found after they have expired', async () => {
    const old = longOrder('4', Date.now() - 60_000);
    await store.storedOrders.live.store([old], plan);
    expect(await store.storedOrders.live.find(old.orderId)).toBeUndefined();
  });

  test('are not stored descriptions, which other rules apply to', async () => {
    await expect(store.storedDescriptions.find(one.orderId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('stored orders in a database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await database.query('delete from render_cache');
  });
  afterAll(() => database.close());
  const open = () => openStoredOrders(database, testSealer);

  test('are stored all or none', async () => {
    await open().store([one], plan);
    await expect(open().store([two, one], plan)).rejects.toThrow();
    expect(await open().find(two.orderId)).toBeUndefined();
  });

  test('are sealed, and bound to their rows', async () => {
    await open().store([one, two], plan);
    const rows = await database.query<{ description: string }>('select description from render_cache');
    expect(JSON.stringify(rows)).not.toContain('cdn.example');
    await database.query(
      'update render_cache set description = (select description from render_cache where cache_id = $1)',
      [two.orderId],
    );
    expect(await open().find(one.orderId)).toBeUndefined();
    expect(await open().find(two.orderId)).toEqual(two.order);
  });

  test('are not found if they were sealed for another purpose', async () => {
    await open().store([one], plan);
    for (const purpose of ['execution-url', 'job-description', 'newer-job-description'] as const) {
      await database.query('update render_cache set description = $1', [testSealer.seal(purpose, one)]);
      expect(await open().find(one.orderId)).toBeUndefined();
    }
  });

  test('are not returned for the ID of a stored description', async () => {
    const descriptions = openStoredDescriptions(database, testSealer);
    const { cacheId } = await descriptions.store(jobWithId('one'), 'render:1');
    expect(await open().find(cacheId)).toBeUndefined();
  });

  test('are deleted once they have expired', async () => {
    await open().store([one, longOrder('4', Date.now() - 60_000)], plan);
    await deleteExpiredDescriptions(database, new AbortController().signal);
    expect(await database.query('select cache_id from render_cache')).toEqual([{ cache_id: one.orderId }]);
  });

  /** Adds rows of an hour that were stored before. */
  async function fill(rows: number, { owner = one.order.owner, visitor = '', bytes = 1, hours = 1 } = {}) {
    await database.query(
      `insert into render_cache (cache_id, owner, visitor, description, expires_at)
       select gen_random_uuid(), $2, nullif($3, ''), repeat('x', $4::integer), now() + $5::float8 * interval '1 hour'
       from generate_series(1, $1::integer)`,
      [rows, owner, visitor, bytes, hours],
    );
  }
  const refused = expect.objectContaining({
    code: 'rate_limited',
    message: expect.stringMatching(/are stored already.* again in 60 minutes\./),
    retryAfter: expect.any(Number),
  });

  test('have a quota of rows for each account, which expired ones do not count towards', async () => {
    await fill(200, { hours: -1 });
    await fill(200, { owner: 'extraction:2' });
    await fill(199);
    await expect(open().store([one, two], plan)).rejects.toEqual(refused);
    expect(await open().find(one.orderId)).toBeUndefined();
    await open().store([two], plan);
    await expect(open().store([one], plan)).rejects.toMatchObject({ code: 'rate_limited' });
    await open().store([one], { jobsAtOnce: 2 });
  });

  test('of concurrent responses count towards one quota', async () => {
    await fill(198);
    const results = await Promise.allSettled(['5', '6', '7'].map((id) => open().store([longOrder(id)], plan)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('have a quota of bytes', async () => {
    await fill(8, { bytes: 1024 * 1024 });
    await expect(open().store([one], plan)).rejects.toEqual(refused);
  });

  test.each([
    ['rows', 1_000, 1],
    ['bytes', 16, 1024 * 1024],
  ])('have a quota of %s for each visitor, and one for all visitors together', async (_what, rows, bytes) => {
    const of = (visitor: string) => ({ ...one, order: { ...one.order, visitor } });
    await fill(rows, { visitor: 'one', bytes });
    await expect(open().store([of('one')], { jobsAtOnce: 10 })).rejects.toEqual(refused);
    await open().store([of('two')], { jobsAtOnce: 10 });
    await expect(open().store([of('three')], plan)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

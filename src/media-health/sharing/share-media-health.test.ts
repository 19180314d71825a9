import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { createLocalMediaHealth } from '../local-media-health.ts';
import { keyOf, mediaFetch } from '../testing/media-fetches.ts';
import { shareMediaHealth } from './share-media-health.ts';
import { deleteOldRows } from './statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('delete from media_health');
  await database.query('delete from media_refusals');
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const here = { platform: 'p1', exit: 'fr-1' };
const profiles = ['first', 'second'];

const fast = { interval: 10, poll: 60_000, retry: 10, close: 10_000 };

/** Starts a node that shares its media health, unless its statements fail. */
function startNode(more: Partial<Database> = {}, { log = pino({ level: 'silent' }), pace = fast } = {}) {
  const health = createLocalMediaHealth({ mediaFetch: () => undefined });
  const sharing = shareMediaHealth(health, { ...database, ...more }, log, pace);
  closers.push(() => sharing.close());
  return {
    health,
    close: () => sharing.close(),
    orderOf: (item: string) => health.order(here, keyOf(item), profiles),
    counts: () => health.states('p1').map(({ profile, recent }) => [profile, recent.arrived, recent.refused]),
  };
}

describe('another node', () => {
  test('avoids a profile at once for an item whose media was refused', async () => {
    const worker = startNode();
    const api = startNode();
    for (const item of ['c', 'd']) api.health.report(mediaFetch('arrived', { item }));
    worker.health.report(mediaFetch('refused', { item: 'a' }));
    await expect.poll(() => api.orderOf('a')).toEqual(['second', 'first']);
    expect(api.orderOf('b')).toEqual(profiles);
    expect(api.health.states('p1')).toMatchObject([
      { profile: 'first', country: 'FR', lastRefusal: { outcome: 'refused', status: 403, bytes: 0 } },
    ]);
  });

  test('tries it first again when media of the item has arrived', async () => {
    const worker = startNode();
    const api = startNode();
    worker.health.report(mediaFetch('refused', { item: 'a' }));
    await expect.poll(() => api.orderOf('a')).toEqual(['second', 'first']);
    api.health.report(mediaFetch('arrived', { item: 'a' }));
    await expect.poll(() => worker.orderOf('a')).toEqual(profiles);
    expect(api.orderOf('a')).toEqual(profiles);
  });

  test('counts each fetch once, however often it is read', async () => {
    const worker = startNode();
    const api = startNode();
    worker.health.report(mediaFetch('refused', { item: 'a' }));
    worker.health.report(mediaFetch('arrived', { item: 'b' }));
    await expect.poll(api.counts).toEqual([['first', 1, 1]]);
    worker.health.report(mediaFetch('refused', { item: 'c' }));
    worker.health.report(mediaFetch('refused', { item: 'd', profile: 'second' }));
    await expect.poll(api.counts).toEqual([
      ['first', 1, 2],
      ['second', 0, 1],
    ]);
    expect(worker.counts()).toEqual(api.counts());
  });

  test('that starts later knows the refusals of the last hour', async () => {
    const worker = startNode();
    worker.health.report(mediaFetch('refused', { item: 'a' }));
    await worker.close();
    const api = startNode();
    await expect.poll(() => api.orderOf('a')).toEqual(['second', 'first']);
    expect(api.counts()).toEqual([['first', 0, 1]]);
  });
});

describe('a database that is unavailable', () => {
  test('does not affect the node, and gets the changes when it is back', async () => {
    let isDown = true;
    const warn = vi.fn<() => void>();
    const log = pino({ level: 'warn' }, { write: warn });
    const query: Database['query'] = async (text, parameters) => {
      if (isDown) throw new Error('down');
      return await database.query(text, parameters);
    };
    const worker = startNode({ query }, { log });
    worker.health.report(mediaFetch('refused', { item: 'a' }));
    expect(worker.orderOf('a')).toEqual(['second', 'first']);
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    isDown = false;
    await worker.close();
    const api = startNode();
    await expect.poll(() => api.orderOf('a')).toEqual(['second', 'first']);
  });

  test('does not keep the node from stopping', async () => {
    const worker = startNode({ query: () => new Promise(() => undefined) }, { pace: { ...fast, close: 10 } });
    worker.health.report(mediaFetch('refused'));
    await worker.close();
    expect(worker.orderOf('a')).toEqual(['second', 'first']);
  });
});

test('old rows are deleted', async () => {
  const worker = startNode();
  worker.health.report(mediaFetch('refused'));
  await worker.close();
  await deleteOldRows(database);
  const countRows = async () => [
    (await database.query('select 1 from media_health')).length,
    (await database.query('select 1 from media_refusals')).length,
  ];
  expect(await countRows()).toEqual([1, 1]);
  await database.query("update media_health set updated_at = now() - interval '21 minutes'");
  await database.query("update media_refusals set updated_at = now() - interval '61 minutes'");
  await deleteOldRows(database);
  expect(await countRows()).toEqual([0, 0]);
});

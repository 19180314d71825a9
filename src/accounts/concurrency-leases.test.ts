import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { type ConcurrencyLeases, openConcurrencyLeases } from './concurrency-leases.ts';

const LIMIT = 5;

let database: TestDatabase;
let nodes: Database[];
let one: ConcurrencyLeases;
let two: ConcurrencyLeases;

beforeAll(async () => {
  database = await openTestDatabase();
  nodes = [await database.openAnother(), await database.openAnother()];
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await database.close();
});
beforeEach(async () => {
  await database.query('delete from relay_places');
  const [first, second] = nodes;
  if (first === undefined || second === undefined) throw new Error('there are two nodes');
  one = openConcurrencyLeases(first, LIMIT);
  two = openConcurrencyLeases(second, LIMIT);
});

const request = (owner: string, held: number, requested: number) => ({ owner, held, requested });
const rows = () => database.query('select owner, places from relay_places order by owner, places');

test('grants leases up to the limit across all nodes', async () => {
  expect(await one.renew([request('me', 0, 3), request('you', 0, 9)])).toEqual(
    new Map([
      ['me', 3],
      ['you', 5],
    ]),
  );
  expect(await two.renew([request('me', 0, 3), request('you', 0, 1)])).toEqual(
    new Map([
      ['me', 2],
      ['you', 0],
    ]),
  );
  expect(await one.renew([request('me', 3, 1)])).toEqual(new Map([['me', 3]]));
});

test('grants no lease twice to nodes that request concurrently', async () => {
  const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);
  // The two nodes use opposite orders, because locks taken in the order of the requests would then deadlock.
  const requests = owners.map((owner) => request(owner, 0, LIMIT - 1));
  const given = await Promise.all([one.renew(requests), two.renew(requests.toReversed())]);
  for (const owner of owners) expect(given.reduce((sum, each) => sum + (each.get(owner) ?? 0), 0)).toBe(LIMIT);
});

test('frees leases that are no longer held and keeps the others', async () => {
  await one.renew([request('me', 0, 5), request('you', 0, 1)]);
  await one.renew([request('me', 2, 0), request('you', 0, 0)]);
  expect(await rows()).toEqual([{ owner: 'me', places: 2 }]);
  expect(await two.renew([request('me', 0, 9)])).toEqual(new Map([['me', 3]]));
  await two.release();
  expect(await rows()).toEqual([{ owner: 'me', places: 2 }]);
});

test('a node that was disconnected for a long time keeps its leases, even if other nodes were granted them meanwhile', async () => {
  await one.renew([request('me', 0, 5)]);
  await database.query(`update relay_places set expires_at = now() - interval '1 second'`);
  expect(await two.renew([request('me', 0, 4)])).toEqual(new Map([['me', 4]]));
  expect(await one.renew([request('me', 5, 1)])).toEqual(new Map([['me', 5]]));
  expect(await two.renew([request('me', 4, 1)])).toEqual(new Map([['me', 4]]));
});

test('a stopping node deletes the leases of lost nodes', async () => {
  await one.renew([request('me', 0, 5)]);
  await database.query(`update relay_places set expires_at = now() - interval '1 second'`);
  await two.release();
  expect(await rows()).toEqual([]);
});

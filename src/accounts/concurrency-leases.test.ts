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

test('as many are given as all nodes together leave', async () => {
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

test('none is given twice to nodes that ask at the same time', async () => {
  const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);
  // Each in an order of its own: locks in that order would block each other.
  const requests = owners.map((owner) => request(owner, 0, LIMIT - 1));
  const given = await Promise.all([one.renew(requests), two.renew(requests.toReversed())]);
  for (const owner of owners) expect(given.reduce((sum, each) => sum + (each.get(owner) ?? 0), 0)).toBe(LIMIT);
});

test('what is not held any more goes back, and what is held stays', async () => {
  await one.renew([request('me', 0, 5), request('you', 0, 1)]);
  await one.renew([request('me', 2, 0), request('you', 0, 0)]);
  expect(await rows()).toEqual([{ owner: 'me', places: 2 }]);
  expect(await two.renew([request('me', 0, 9)])).toEqual(new Map([['me', 3]]));
  await two.release();
  expect(await rows()).toEqual([{ owner: 'me', places: 2 }]);
});

test('a node that was cut off for long has what it holds, though others were given the places', async () => {
  await one.renew([request('me', 0, 5)]);
  await database.query(`update relay_places set expires_at = now() - interval '1 second'`);
  expect(await two.renew([request('me', 0, 4)])).toEqual(new Map([['me', 4]]));
  expect(await one.renew([request('me', 5, 1)])).toEqual(new Map([['me', 5]]));
  expect(await two.renew([request('me', 4, 1)])).toEqual(new Map([['me', 4]]));
});

test('those of a lost node are cleared away when another one stops', async () => {
  await one.renew([request('me', 0, 5)]);
  await database.query(`update relay_places set expires_at = now() - interval '1 second'`);
  await two.release();
  expect(await rows()).toEqual([]);
});

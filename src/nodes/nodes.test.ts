import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { countLostNodes, countNodes, openNodes, type RecordChange } from './nodes.ts';
import { type NodeFacts, type OwnNode, openNode } from './own-node.ts';

const log = pino({ level: 'silent' });
const facts: NodeFacts = { host: 'one', roles: ['api', 'worker'], version: '0.2.0', isOnly: false };

let database: TestDatabase;
const closers: (() => Promise<void>)[] = [];
let recorded: unknown[];
beforeEach(async () => {
  recorded = [];
  database = await openTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await database.close();
});

const record: RecordChange = async (_sql, { before, after }) => void recorded.push([before, after]);

async function start(more: Partial<NodeFacts> = {}): Promise<OwnNode> {
  const node = await openNode(database, { ...facts, ...more }, log);
  closers.push(node.close);
  return node;
}

describe('the nodes of a database', () => {
  test('are listed with their facts until they are closed', async () => {
    const nodes = openNodes(database);
    const node = await start();
    const worker = crypto.randomUUID();
    await node.setWorker(worker);
    await start({ host: 'two', roles: ['render'] });
    const list = await nodes.list();
    expect(list.map(({ host }) => host).sort()).toEqual(['one', 'two']);
    expect(list.find(({ id }) => id === node.id)).toMatchObject({
      ...{ state: 'active', roles: ['api', 'worker'], version: '0.2.0', worker, jobs: 0 },
      ...{ drainingAt: null, drainReason: null },
    });
    expect(Object.fromEntries(await countNodes(database))).toEqual({ api: 1, worker: 1, render: 1 });
    await node.close();
    expect((await nodes.list()).map(({ host }) => host)).toEqual(['two']);
  });

  test('drain and resume as an administrator says, whichever process the request reaches', async () => {
    const nodes = openNodes(await database.openAnother());
    const [node, other] = [await start(), await start()];
    expect(await nodes.drain(node.id, 'upgrade', record)).toMatchObject({ state: 'draining', drainReason: 'upgrade' });
    await expect.poll(() => node.drainReason).toBe('upgrade');
    expect(other.drainReason).toBeUndefined();
    expect(await nodes.resume(node.id, record)).toMatchObject({ state: 'active', drainingAt: null });
    await expect.poll(() => node.drainReason).toBeUndefined();
    expect(recorded).toEqual([
      [null, 'upgrade'],
      ['upgrade', null],
    ]);
  });

  test('cannot be drained if they do not exist', async () => {
    const nodes = openNodes(database);
    expect(await nodes.drain(crypto.randomUUID(), 'x', record)).toBeUndefined();
    expect(await nodes.resume('no UUID', record)).toBeUndefined();
  });

  test('have the jobs of their worker, unless a later process has taken over the worker', async () => {
    const worker = crypto.randomUUID();
    await database.query(
      `insert into nodes (id, host, roles, version, worker, started_at, beat_at)
       values (gen_random_uuid(), 'killed', '{worker}', '0.2.0', $1, now() - interval '1 hour', now())`,
      [worker],
    );
    await database.query(
      `insert into render_jobs (id, owner, state, ttl, expires_at, run, worker)
       values ('job', 'me', 'processing', 1000, now() + interval '1 hour', gen_random_uuid(), $1)`,
      [worker],
    );
    const jobsByHost = async () => (await openNodes(database).list()).map(({ host, jobs }) => [host, jobs]);
    expect(await jobsByHost()).toEqual([['killed', 1]]);
    await (await start()).setWorker(worker);
    expect(await jobsByHost()).toEqual([
      ['one', 1],
      ['killed', 0],
    ]);
  });

  test('are lost without a heartbeat, and forgotten after an hour or by the only process of an embedded database', async () => {
    const nodes = openNodes(database);
    const insert = (age: string) =>
      database.query(
        `insert into nodes (id, host, roles, version, beat_at)
         values (gen_random_uuid(), $1::text, '{}', '0.2.0', now() - $1::text::interval)`,
        [age],
      );
    await insert('1 minute');
    await insert('2 hours');
    await start();
    expect((await nodes.list()).map(({ host, state }) => [host, state]).sort()).toEqual([
      ['1 minute', 'lost'],
      ['one', 'active'],
    ]);
    await insert('20 minutes');
    expect(await countLostNodes(database)).toBe(1);
    await start({ host: 'two', isOnly: true });
    expect((await nodes.list()).map(({ host }) => host)).toEqual(['two']);
  });
});

import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import { type Sweeper, startSweeper } from './expiry.ts';
import type { Queue } from './queue.ts';

let sweeper: Sweeper | undefined;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(async () => {
  await sweeper?.close();
  vi.useRealTimers();
});

/** A sweeper whose database may be away, and whose store may never answer. */
function start() {
  const world = { away: false, recoveries: 0, deletions: 0 };
  const database: Pick<Database, 'query'> = {
    async query<Row>(text: string) {
      if (world.away) throw new Error('away');
      // The one row that a sweep of files finds.
      return (text.startsWith('select file_key from file_deletions') ? [{ file_key: 'key' }] : []) as Row[];
    },
  };
  const storage: Pick<Storage, 'delete'> = {
    delete() {
      world.deletions += 1;
      return Promise.withResolvers<void>().promise;
    },
  };
  const queue: Pick<Queue, 'recover'> = {
    async recover() {
      world.recoveries += 1;
    },
  };
  // Of each, sweeping uses these methods alone.
  sweeper = startSweeper(database as Database, storage as Storage, queue as Queue, pino({ level: 'silent' }));
  return world;
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('silent workers are looked for every 5 s, whatever the store does', async () => {
  const world = start();
  await pass(21);
  expect(world.recoveries).toBe(4);
  expect(world.deletions).toBe(1);
  // It would wait for the store.
  sweeper = undefined;
});

test('after the database was away, workers get until the next sweep to say that they live', async () => {
  const world = start();
  await pass(11);
  expect(world.recoveries).toBe(2);
  world.away = true;
  await pass(20);
  world.away = false;
  await pass(5);
  expect(world.recoveries).toBe(2);
  await pass(5);
  expect(world.recoveries).toBe(3);
  sweeper = undefined;
});

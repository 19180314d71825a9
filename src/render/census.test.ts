import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/testing.ts';
import { countJobs, countWaiting, storedBytes } from './census.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const idle = {
  pending: 0,
  queued: 0,
  downloading_inputs: 0,
  processing: 0,
  uploading_output: 0,
  done: 0,
  failed: 0,
};

test('counts jobs that have not expired, and the bytes of their files', async () => {
  expect(Object.fromEntries(await countJobs(database))).toEqual(idle);
  expect([await countWaiting(database), await storedBytes(database)]).toEqual([0, 0]);
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, file_size, expires_at)
     select id, 'me', state, 1, size, now() + lives * interval '1 hour' from (values
       ('a', 'pending', null::bigint, 1), ('b', 'queued', null, 1), ('c', 'queued', null, -1),
       ('d', 'done', 5000000000, 1), ('e', 'done', 7, 1), ('f', 'failed', null, 1)
     ) as jobs (id, state, size, lives)`,
  );
  expect(Object.fromEntries(await countJobs(database))).toEqual({ ...idle, pending: 1, queued: 1, done: 2, failed: 1 });
  expect([await countWaiting(database), await storedBytes(database)]).toEqual([2, 5_000_000_007]);
});

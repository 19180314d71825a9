import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { countFiles, countJobs, countQueue } from './job-counts.ts';

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
};

test('counts unfinished jobs, files and their bytes, and workers', async () => {
  expect(Object.fromEntries(await countJobs(database))).toEqual(idle);
  expect(await countQueue(database)).toEqual({
    waiting: 0,
    oldestWaiting: 0,
    workers: 0,
    slots: 0,
    lostWorkers: 0,
    deletions: 0,
    failingDeletions: 0,
  });
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, file_key, file_size, created_at, expires_at)
     select id, 'me', state, 1, case when size > 0 then id end, size, now() - interval '90 s', now() + lives * interval '1 hour' from (values
       ('a', 'pending', null::bigint, 1), ('b', 'queued', null, 1), ('c', 'queued', null, -1),
       ('d', 'done', 5000000000, 1), ('e', 'done', 7, 1), ('f', 'failed', null, 1)
     ) as jobs (id, state, size, lives)`,
  );
  expect(Object.fromEntries(await countJobs(database))).toEqual({ ...idle, pending: 1, queued: 1 });
  expect(await countFiles(database)).toEqual({ files: 2, bytes: 5_000_000_007 });
  await database.query(
    `insert into workers (id, slots, beat_at)
     select gen_random_uuid(), slots, now() - age * interval '1 s' from (values (2, 0), (4, 10), (8, 40)) as w (slots, age)`,
  );
  await database.query(`insert into file_deletions (file_key, attempts) values ('x', 1), ('y', 9)`);
  const { oldestWaiting, ...counts } = await countQueue(database);
  expect(oldestWaiting).toBeGreaterThanOrEqual(90);
  expect(counts).toEqual({ waiting: 2, workers: 2, slots: 6, lostWorkers: 1, deletions: 2, failingDeletions: 1 });
});

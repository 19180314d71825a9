import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sql } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { finalChannel } from '../jobs/job-states.ts';
import {
  deleteExpiredDescriptions,
  deleteExpiredJobs,
  deleteOldLinkReplacements,
  deleteOldVisitorCredits,
  deleteOldVisitorStarts,
} from './delete-expired.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('delete from render_jobs');
  await database.query('delete from file_deletions');
  await database.query('delete from link_replacements');
});

const { signal } = new AbortController();

/** Adds jobs with a file; the last tenth has not expired. */
async function addJobs(count: number): Promise<void> {
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, file_key, expires_at)
     select 'job-' || n, 'me', 'done', 1, gen_random_uuid()::text,
       now() + case when n > $1 * 0.9 then interval '1 hour' else - n * interval '1 second' end
     from generate_series(1, $1::integer) as n`,
    [count],
  );
}

const countOf = async (table: string): Promise<number> => {
  const [row] = await database.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`);
  return row?.rows ?? 0;
};

/** Counts the rows that each statement affects. */
function countingSql(): { readonly sql: Sql; readonly rows: number[] } {
  const rows: number[] = [];
  const sql: Sql = {
    async query<Row>(text: string, parameters?: readonly unknown[]) {
      const result = await database.query<Row>(text, parameters);
      rows.push(Number(Object.values(result[0] ?? {})[0]));
      return result;
    },
  };
  return { sql, rows };
}

test('deletes expired jobs and their files in batches, and keeps the others', async () => {
  await addJobs(60);
  const { sql, rows } = countingSql();
  await deleteExpiredJobs(sql, signal);
  expect(rows).toEqual([1, 20, 20, 14]);
  expect([await countOf('render_jobs'), await countOf('file_deletions')]).toEqual([6, 54]);
});

test('notifies subscribers of each expired job', async () => {
  const jobIds: string[] = [];
  const stop = await database.listen(finalChannel, (id) => jobIds.push(id));
  await addJobs(10);
  await deleteExpiredJobs(database, signal);
  await expect.poll(() => jobIds.length).toBe(9);
  await stop();
});

test('leaves a row that another transaction has locked for the next sweep', async () => {
  if (process.env.TEST_STACK === undefined || process.env.TEST_STACK === 'embedded') return;
  await addJobs(10);
  await database.transaction(async (sql) => {
    await sql.query(`select 1 from render_jobs where id = 'job-1' for update`);
    await deleteExpiredJobs(database, signal);
  });
  expect(await countOf('render_jobs')).toBe(2);
});

test('starts no further batch after a sweep is aborted', async () => {
  await addJobs(10);
  await deleteExpiredJobs(database, AbortSignal.abort());
  expect(await countOf('render_jobs')).toBe(10);
});

test('deletes expired descriptions in batches', async () => {
  await database.query(
    `insert into render_cache (cache_id, owner, description, expires_at)
     select 'c' || n, 'me', '', now() + (n - 50) * interval '1 minute' from generate_series(1, 100) as n`,
  );
  const { sql, rows } = countingSql();
  await deleteExpiredDescriptions(sql, signal);
  expect(rows).toEqual([1, 20, 20, 10]);
  expect(await countOf('render_cache')).toBe(50);
});

test('deletes counts of replaced links that are older than a day', async () => {
  await database.query(
    `insert into link_replacements (subject, item, requested_at)
     select 'job-' || n, 'item', now() + (n - 751.5) * interval '1 minute' - interval '24 hours'
     from generate_series(1, 800) as n`,
  );
  const { sql, rows } = countingSql();
  await deleteOldLinkReplacements(sql, signal);
  expect(rows).toEqual([500, 251]);
  expect(await countOf('link_replacements')).toBe(49);
});

test('deletes credits of visitors on former days', async () => {
  await database.query(
    "insert into visitor_credits (visitor, day, credits) select 'a', (now() at time zone 'utc')::date - n, 1 from generate_series(0, 4) as n",
  );
  await deleteOldVisitorCredits(database, signal);
  expect(await countOf('visitor_credits')).toBe(2);
});

test('deletes starts of visitors that are older than a day', async () => {
  await database.query(
    `insert into visitor_starts (visitor, job_id, started_at)
     select 'visitor', 'job-' || n, now() + (n - 751.5) * interval '1 minute' - interval '24 hours'
     from generate_series(1, 800) as n`,
  );
  const { sql, rows } = countingSql();
  await deleteOldVisitorStarts(sql, signal);
  expect(rows).toEqual([500, 251]);
  expect(await countOf('visitor_starts')).toBe(49);
});

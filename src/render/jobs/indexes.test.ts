import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { waitingTenants } from './queue/fair-turns.ts';
import { tenantOfJob, turnOfJob } from './tenants.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const uuid = "'00000000-0000-0000-0000-000000000000'";

// Statements that run for every job, for every download or every second must not read all stored jobs.
test.each([
  [`update render_jobs set progress = 1 where run = ${uuid}`],
  [`select file_name from render_jobs where file_key = 'k' and expires_at > now()`],
  [`select id from render_jobs where state = 'done' and file_sha256 is null and file_checked_at < now() limit 1`],
  [
    `select id from render_jobs where state = 'done' and file_sha256 is not null and file_checked_at < now()
     order by file_checked_at limit 1`,
  ],
  [`select coalesce(sum(file_size), 0) from render_jobs where file_key is not null`],
  [`select sum(bytes) from stored_sizes where tenant = 'me'`],
  [`select min(expires_at) from render_jobs where ${tenantOfJob} = 'me' and state = 'done' and file_key is not null`],
  [`select run::text from render_jobs where run is not null and run::text = any(array['a'])`],
  [`select count(*) from render_jobs where state not in ('done', 'failed') and expires_at > now()`],
  [`select min(created_at) from render_jobs where state in ('pending', 'queued') and expires_at > now()`],
  [`select id from render_jobs where state in ('pending', 'queued') and deaths >= 2 order by lost_at limit 1`],
  [`with recursive ${waitingTenants} select tenant from waiting_tenants`],
  [
    `select id from render_jobs where state in ('pending', 'queued') and ${tenantOfJob} = 'me'
     order by ${turnOfJob} limit 1`,
  ],
  [`delete from render_jobs where expires_at <= now()`],
  [`select from render_jobs where owner = 'me' and state = 'failed' and octet_length(description) > 4096 limit 100`],
  [`delete from render_cache where expires_at <= now()`],
  [`select count(*), sum(octet_length(description)) from render_cache where owner = 'me' and expires_at > now()`],
  [`select job_id from render_webhooks where state = 'pending' and due_at <= now() order by due_at limit 1`],
  [`select job_id from late_webhooks where due_at <= now() order by due_at limit 1`],
  [`select sum(octet_length(event)) from render_webhooks where owner = 'me' and event is not null`],
  [`select sum(octet_length(event)) from late_webhooks where owner = 'me'`],
  [
    `select id from render_jobs where owner = 'me' and (created_at, id) < (now(), 'j')
     order by created_at desc, id desc limit 20`,
  ],
  [`select id from render_jobs order by created_at desc, id desc limit 20`],
  [`delete from late_webhooks where job_id = 'j' and owner = 'me'`],
])('uses an index for: %s', async (statement) => {
  const plan = await database.transaction(async (sql) => {
    // PostgreSQL always scans a table of a few rows, unless sequential scans are disabled.
    await sql.query('set local enable_seqscan = off');
    return await sql.query<Record<string, string>>(`explain ${statement}`);
  });
  const text = plan.flatMap((row) => Object.values(row)).join('\n');
  expect(text).toMatch(/Index/);
  expect(text).not.toMatch(/Seq Scan/);
});

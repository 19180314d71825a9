import { keptDays } from '../../accounts/visitor-credits.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Database, Sql } from '../../database/database.ts';
import { countedHours } from '../../link-healing/replacement-counts.ts';
import { finalChannel } from '../jobs/job-states.ts';
import { countedMs } from '../jobs/visitor-limits.ts';
import { runInBatches } from './run-in-batches.ts';

/** Rows per statement. In the embedded engine, every other query waits for the statement. */
const BATCH_ROWS = 500;
/**
 * Rows per statement if they have descriptions, which may be 350 kB long. The embedded engine deletes each 2 kB of them
 * separately: 200 such rows took 0.4 s of processor time (measured 2026-11-30).
 */
const LONG_BATCH_ROWS = 20;
/** Time limit of a sweep. The next one continues with the remaining backlog. */
const MAX_SWEEP_MS = 30_000;

/** Deletes expired jobs. A worker that still runs an expired job detects this at its next heartbeat. */
export async function deleteExpiredJobs(sql: Sql, signal: AbortSignal): Promise<void> {
  const expired = await sql.query('select 1 from render_jobs where expires_at <= now() limit 1');
  if (expired.length === 0) return;
  await runInBatches({ size: LONG_BATCH_ROWS, maxMs: MAX_SWEEP_MS, signal }, async (size) => {
    const [row] = await sql.query<{ jobs: number }>(
      `with gone as (
         delete from render_jobs where id in (
           select id from render_jobs where expires_at <= now() order by expires_at limit $2 for update skip locked
         ) returning id, run, file_key
       ), progress as (
         delete from render_progress where run in (select run from gone)
       ), files as (
         insert into file_deletions (file_key)
         select coalesce(file_key, run::text) from gone where coalesce(file_key, run::text) is not null
         on conflict do nothing
       )
       select count(pg_notify($1, id))::integer as jobs from gone`,
      [finalChannel, size],
    );
    return row?.jobs ?? 0;
  });
}

/** Deletes requests for new media links that no longer count. */
export function deleteOldLinkReplacements(sql: Sql, signal: AbortSignal): Promise<void> {
  return deleteOldRows(sql, 'link_replacements', 'requested_at', `${countedHours} hours`, signal);
}

/** Deletes starts of visitors of the page that no longer count. */
export function deleteOldVisitorStarts(sql: Sql, signal: AbortSignal): Promise<void> {
  return deleteOldRows(sql, 'visitor_starts', 'started_at', `${countedMs} milliseconds`, signal);
}

/** Deletes credits of visitors of the page on former days. */
export function deleteOldVisitorCredits(sql: Sql, signal: AbortSignal): Promise<void> {
  return deleteOldRows(sql, 'visitor_credits', 'day', `${keptDays} days`, signal);
}

/** Deletes the rows of a table whose time is longer ago than an interval of PostgreSQL. */
async function deleteOldRows(
  sql: Sql,
  table: 'link_replacements' | 'visitor_starts' | 'visitor_credits',
  time: 'requested_at' | 'started_at' | 'day',
  age: string,
  signal: AbortSignal,
): Promise<void> {
  await runInBatches({ size: BATCH_ROWS, maxMs: MAX_SWEEP_MS, signal }, async (size) => {
    const [row] = await sql.query<{ rows: number }>(
      `with gone as (
         delete from ${table} where ctid in (
           select ctid from ${table} where ${time} <= now() - interval '${age}'
           order by ${time} limit $1 for update skip locked
         ) returning 1
       )
       select count(*)::integer as rows from gone`,
      [size],
    );
    return row?.rows ?? 0;
  });
}

/** Deletes entries of the audit log that are older than a number of days. */
export async function deleteExpiredAuditEntries(
  database: Database,
  auditLog: AuditLog,
  days: number,
  signal: AbortSignal,
): Promise<void> {
  await runInBatches({ size: BATCH_ROWS, maxMs: MAX_SWEEP_MS, signal }, (size) =>
    auditLog.deleteOld(database, days, size),
  );
}

/** Deletes expired stored descriptions. */
export async function deleteExpiredDescriptions(sql: Sql, signal: AbortSignal): Promise<void> {
  const expired = await sql.query('select 1 from render_cache where expires_at <= now() limit 1');
  if (expired.length === 0) return;
  await runInBatches({ size: LONG_BATCH_ROWS, maxMs: MAX_SWEEP_MS, signal }, async (size) => {
    const [row] = await sql.query<{ descriptions: number }>(
      `with gone as (
         delete from render_cache where cache_id in (
           select cache_id from render_cache where expires_at <= now() order by expires_at limit $1
           for update skip locked
         ) returning 1
       )
       select count(*)::integer as descriptions from gone`,
      [size],
    );
    return row?.descriptions ?? 0;
  });
}

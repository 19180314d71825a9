import type { DeliveryOutcome } from '../../../contract/delivery-outcome.ts';
import type { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import { type Database, notify } from '../../../database/database.ts';
import { failureColumns, failureValues } from '../failure-columns.ts';
import { activeStates, finalChannel, queueChannel } from '../job-states.ts';
import { toPercent } from '../percent.ts';

/** A file created by a job. */
export interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly link: string;
  /** SHA-256 in base64, if it is already known. */
  readonly sha256?: string;
  /** Differences between the file and the job's inputs. */
  readonly notes: readonly OutputNote[];
  /** The signed receipt, as JSON. */
  readonly receipt?: string;
  /** The outcome of its delivery to the caller's store. */
  readonly delivery?: DeliveryOutcome;
}

/** A file created by a job that was delivered to the caller's store and is not stored. */
interface DeliveredFile {
  readonly delivery: DeliveryOutcome;
}

/** The file of a job that is done. */
export type CompletedFile = StoredFile | DeliveredFile;

/** Takes the run away from a job `j`, which remembers its last worker and run, as SQL. */
export const releaseRun = 'left_worker = j.worker, left_run = j.run, worker = null, run = null';

/** Ends a run with a file. Returns whether the file belongs to the job, through this call or an earlier one. */
export async function completeRun(database: Database, run: string, file: CompletedFile): Promise<boolean> {
  const done = `state = 'done', progress = 100, description = null, delivery = $2::json,
    expires_at = greatest(expires_at, now() + ttl * interval '1 millisecond')`;
  const delivery = file.delivery === undefined ? null : JSON.stringify(file.delivery);
  if (!('key' in file)) {
    // The job has no file that shows which run has completed it.
    if (await endRun(database, run, `${done}, left_run = j.run`, [delivery])) return true;
    const completed = await database.query(`select 1 from render_jobs where left_run = $1 and state = 'done'`, [run]);
    return completed.length > 0;
  }
  const ended = await endRun(
    database,
    run,
    `${done}, file_key = $3, file_name = $4, file_size = $5, file_link = $6, notes = $7::json, file_sha256 = $8,
     file_checked_at = case when $8::text is not null then now() end, receipt = $9`,
    [
      delivery,
      ...[file.key, file.name, file.size, file.link, JSON.stringify(file.notes)],
      ...[file.sha256 ?? null, file.receipt ?? null],
    ],
  );
  if (ended) return true;
  const before = await database.query('select 1 from render_jobs where file_key = $1', [file.key]);
  return before.length > 0;
}

/** Ends a run as failed. The job keeps its description, so that it can be retried. `progress` is in percent. */
export async function failRun(
  database: Database,
  run: string,
  error: MillraceError,
  progress: number,
  delivery?: DeliveryOutcome,
): Promise<void> {
  await endRun(
    database,
    run,
    `state = 'failed', progress = $2, delivery = $3::json, (${failureColumns}) = ($4, $5, $6::boolean, $7::integer)`,
    [toPercent(progress), delivery === undefined ? null : JSON.stringify(delivery), ...failureValues(error)],
  );
}

/** Puts a run's job back in the queue. Returns `false` if the run is no longer valid. */
export async function requeueRun(database: Database, run: string): Promise<boolean> {
  return await database.transaction(async (sql) => {
    const rows = await sql.query(
      `with returned as (
         update render_jobs j set state = 'queued', ${releaseRun},
           progress = coalesce((select p.progress from render_progress p where p.run = $1), progress)
         where run = $1 and state in ${activeStates} returning left_run
       ), swept as (
         insert into file_deletions (file_key) select left_run::text from returned on conflict do nothing
       )
       select left_run from returned`,
      [run],
    );
    await sql.query('delete from render_progress where run = $1', [run]);
    await notify(sql, queueChannel, run);
    return rows.length > 0;
  });
}

/** Puts the jobs that a worker holds back in the queue, except those of the runs `current`. */
export async function requeueOtherRuns(database: Database, worker: string, current: readonly string[]): Promise<void> {
  await database.transaction(async (sql) => {
    const jobs = await sql.query<{ id: string }>(
      `with others as (
         select j.id, j.run, p.progress from render_jobs j left join render_progress p using (run)
         where j.worker = $1 and j.state in ${activeStates} and j.run <> all($2::uuid[]) for update of j
       ), forgotten as (
         delete from render_progress where run in (select run from others)
       ), swept as (
         insert into file_deletions (file_key) select run::text from others on conflict do nothing
       )
       update render_jobs j set state = 'queued', ${releaseRun},
         progress = coalesce(others.progress, j.progress)
       from others where j.id = others.id
       returning j.id`,
      [worker, current],
    );
    for (const { id } of jobs) await notify(sql, queueChannel, id);
  });
}

/** Ends a run that is still valid, and notifies the subscribers. */
function endRun(database: Database, run: string, assignments: string, values: readonly unknown[]): Promise<boolean> {
  return database.transaction(async (sql) => {
    const ended = await sql.query<{ id: string }>(
      `update render_jobs j set ${assignments}, run = null, worker = null
       where run = $1 and state in ${activeStates} returning id`,
      [run, ...values],
    );
    await sql.query('delete from render_progress where run = $1', [run]);
    for (const { id } of ended) await notify(sql, finalChannel, id);
    return ended.length > 0;
  });
}

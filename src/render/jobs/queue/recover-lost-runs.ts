import { type Database, notify, type Sql } from '../../../database/database.ts';
import { failureColumns, failureValues } from '../failure-columns.ts';
import { activeStates, finalChannel, lostAfter, queueChannel, waitingStates } from '../job-states.ts';
import { releaseRun } from './end-run.ts';
import { loneDeathCounts, MAX_LONE_DEATHS, workerLostError } from './suspects.ts';

/** Time for which the database remembers a worker that sends no heartbeat. */
const forgottenAfter = `interval '5 minutes'`;

/** Defines which workers count as lost; see `Queue` in `queue.ts`. */
export interface Recovery {
  /** Whether every worker is lost, because this worker is the only one that can exist. */
  readonly allWorkers: boolean;
  /** If present, only this worker is lost: it has just started and runs nothing. */
  readonly startedWorker?: string | undefined;
}

/** Puts the jobs of lost workers back in the queue, and fails those that were alone on dying nodes too often. */
export async function recoverLostRuns(database: Database, { allWorkers, startedWorker }: Recovery): Promise<void> {
  if (!allWorkers && startedWorker === undefined && !(await mayHaveLostRuns(database))) return;
  await database.transaction(async (sql) => {
    const jobs = await sql.query<{ id: string; run: string; state: string }>(
      `with lost as (
         select j.id, j.run, p.progress, alone, waits, counts, counts and j.lone_deaths + 1 >= $2 as ended
         from render_jobs j left join render_progress p using (run),
           lateral (select j.lone_run is not distinct from j.run as alone,
             j.waiting_run is not distinct from j.run as waits) as how,
           lateral (select alone and ($1 or ${loneDeathCounts}) as counts) as blame
         where j.state in ${activeStates}
           and ($1 or j.worker = $3 or $3::uuid is null and coalesce(p.beat_at, j.created_at) < now() - ${lostAfter})
         for update of j skip locked
       ), forgotten as (
         delete from render_progress where run in (select run from lost)
       ), swept as (
         insert into file_deletions (file_key) select run::text from lost on conflict do nothing
       )
       update render_jobs j set
         state = case when ended then 'failed' else 'queued' end,
         (${failureColumns}) = (select $4::text, $5::text, $6::boolean, $7::integer where ended),
         deaths = deaths + (not alone and not waits)::integer, lone_deaths = lone_deaths + counts::integer,
         lost_at = case when waits then lost_at else now() end,
         progress = coalesce(lost.progress, j.progress), ${releaseRun}
       from lost where j.id = lost.id
       returning j.id, lost.run, j.state`,
      [allWorkers, MAX_LONE_DEATHS, startedWorker ?? null, ...failureValues(workerLostError())],
    );
    for (const { id, state } of jobs) await notify(sql, state === 'failed' ? finalChannel : queueChannel, id);
    if (startedWorker !== undefined) return;
    await sql.query(`delete from workers where $1 or beat_at < now() - ${forgottenAfter}`, [allWorkers]);
  });
}

/** Whether a job is running or a worker is to be forgotten. Idle nodes run this every few seconds. */
async function mayHaveLostRuns(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ may: boolean }>(
    `select exists (select from render_jobs where run is not null)
       or exists (select from workers where beat_at < now() - ${forgottenAfter}) as may`,
  );
  return row?.may === true;
}

/**
 * Returns the runs that a worker may resume: those that it holds, and its former ones whose jobs it may be given again.
 */
export async function resumableRuns(sql: Sql, worker: string): Promise<ReadonlySet<string>> {
  const runs = await sql.query<{ run: string }>(
    `select run from render_jobs where worker = $1 and state in ${activeStates}
     union
     select left_run from render_jobs
     where left_worker = $1 and (state in ${waitingStates} or (state in ${activeStates} and worker = $1))`,
    [worker],
  );
  return new Set(runs.map(({ run }) => run));
}

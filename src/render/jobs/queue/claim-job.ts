import { MillraceError } from '../../../contract/errors.ts';
import type { Job } from '../../../contract/job.ts';
import type { RequestOrigin } from '../../../contract/request-origin.ts';
import type { Database, Sql } from '../../../database/database.ts';
import type { Sealer } from '../../../sealing/sealer.ts';
import { waitingStates } from '../job-states.ts';
import { openJob } from '../sealed-job.ts';
import { failRun } from './end-run.ts';
import { isDiskBackoffOver } from './full-disk.ts';
import { isSuspect, suspectForIdle, tryDrain } from './suspects.ts';
import { isRunnable, type WorkerAbilities } from './worker-abilities.ts';

/** A job that a worker has claimed. */
export interface ClaimedJob {
  /** Fencing token of this run of the job; also the name of the run's folder and file. */
  readonly run: string;
  readonly id: string;
  /** ID of the account that started the job. */
  readonly owner: string;
  /** The request that started the job. Absent for jobs of earlier versions. */
  readonly origin?: RequestOrigin;
  readonly job: Job;
  /** Whether a test key started the job, so that its inputs come from the lab. */
  readonly test: boolean;
  readonly expiresAt: Date;
  /** Milliseconds between the start of the job and this claim, by the clock of the queue. Includes earlier runs. */
  readonly waitedMs: number;
  /** Whether no worker has claimed the job before. */
  readonly isFirstRun: boolean;
  /** Whether the worker may run no other job concurrently, because nodes that ran this job have died. */
  readonly alone: boolean;
  /** This worker's previous run of the job, which it may resume. */
  readonly previousRun?: { readonly run: string; readonly progress: number };
}

interface ClaimedRow {
  run: string;
  id: string;
  owner: string;
  request_id: string | null;
  trace_context: string | null;
  format: number;
  description: string;
  test: boolean;
  expires_at: Date;
  waited_ms: number;
  is_first_run: boolean;
  alone: boolean;
  former: string | null;
  progress: number;
}

/** Dependencies of claiming a job. */
interface ClaimServices {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly abilities: WorkerAbilities;
}

/**
 * Claims a job for a worker that runs `running` others; see `Queue` in `queue.ts`. A job whose description was sealed
 * with a secret that is no longer known fails, and the next one is claimed.
 */
export async function claimJob(
  services: ClaimServices,
  worker: string,
  running: number,
): Promise<ClaimedJob | undefined> {
  const { database, sealer, abilities } = services;
  if (running > 0 && (await tryDrain(database, worker, abilities))) return undefined;
  const [row] = await database.query<ClaimedRow>(
    `with taken as (
         update render_jobs
         set state = 'downloading_inputs', worker = $1, run = fresh.run,
           lone_run = case when ${isSuspect} then fresh.run end, drained_by = null, drained_until = null
         from (select gen_random_uuid() as run) as fresh
         where id = coalesce(${running > 0 ? '' : `(${suspectForIdle(abilities)}),`} (
           select id from render_jobs
           where state in ${waitingStates} and ${isRunnable(abilities, '$2')} and expires_at > now()
             and left_worker = $1 and not ${isSuspect}
           order by created_at limit 1 for update skip locked
         ), (
           select id from render_jobs
           where state in ${waitingStates} and ${isRunnable(abilities, '$2')} and expires_at > now()
             and not ${isSuspect} and ${isDiskBackoffOver}
           order by created_at limit 1 for update skip locked
         ))
         returning render_jobs.run, id, owner, request_id, trace_context, format, description, test, expires_at,
           extract(epoch from now() - created_at)::double precision * 1000 as waited_ms,
           lone_run is not null as alone,
           left_run is null and deaths = 0 and full_disks = 0 as is_first_run,
           case when left_worker = $1 then left_run end as former,
           case when left_worker = $1 then progress else 0 end as progress
       ), started as (
         insert into render_progress (run, progress, beat_at) select run, progress, now() from taken
       )
       select * from taken`,
    [worker, abilities.maxFormat],
  );
  if (row === undefined) return undefined;
  const job = openJob(sealer, row);
  if (job === undefined) {
    await failRun(database, row.run, secretLostError(), 0);
    return await claimJob(services, worker, running);
  }
  const { run, id, owner, test, expires_at: expiresAt, waited_ms: waitedMs, is_first_run: isFirstRun, alone } = row;
  const previousRun = row.former === null ? {} : { previousRun: { run: row.former, progress: row.progress } };
  return { run, id, owner, ...originOf(row), job, test, expiresAt, waitedMs, isFirstRun, alone, ...previousRun };
}

function originOf({ request_id: requestId, trace_context: traceContext }: ClaimedRow): Pick<ClaimedJob, 'origin'> {
  if (requestId === null) return {};
  return { origin: { requestId, ...(traceContext === null ? {} : { traceContext }) } };
}

/** Whether a job is waiting that workers with these abilities can run. */
export async function hasWaitingJob(sql: Sql, abilities: WorkerAbilities): Promise<boolean> {
  const [row] = await sql.query<{ waiting: boolean }>(
    `select exists (
       select from render_jobs where state in ${waitingStates} and ${isRunnable(abilities, '$1')} and expires_at > now()
     ) as waiting`,
    [abilities.maxFormat],
  );
  return row?.waiting === true;
}

function secretLostError(): MillraceError {
  const message = 'The job was encrypted with a secret that the service no longer has. Start it again.';
  return new MillraceError('unexpected_error', message);
}

import { MillraceError } from '../../../contract/errors.ts';
import type { Job } from '../../../contract/job.ts';
import type { RequestOrigin } from '../../../contract/request-origin.ts';
import type { Database, Sql } from '../../../database/database.ts';
import type { Sealer } from '../../../sealing/sealer.ts';
import { waitingStates } from '../job-states.ts';
import { openJob } from '../sealed-job.ts';
import { tenantOfJob, visitors } from '../tenants.ts';
import { failRun } from './end-run.ts';
import { endTurns, jobInTurn, waitingTenants } from './fair-turns.ts';
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
  /** Whether a visitor of the page started the job. */
  readonly visitor: boolean;
  /** Bytes of finished files that the plan allows the job's tenant; absent without a limit. */
  readonly storedQuota?: number;
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
  visitor: boolean;
  stored_quota: number | null;
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

/** Restricts which jobs a worker can be given now. */
export interface ClaimLimits {
  /** Number of other jobs that the worker runs. Default: 0. */
  readonly running?: number;
  /** Whether it may be given the job of a visitor. Default: true. */
  readonly withVisitors?: boolean;
}

/**
 * Claims a job for a worker; see `Queue` in `queue.ts`. A job whose description was sealed with a secret that is no
 * longer known fails, and the next one is claimed.
 */
export async function claimJob(
  services: ClaimServices,
  worker: string,
  limits: ClaimLimits = {},
): Promise<ClaimedJob | undefined> {
  const { running = 0, withVisitors = true } = limits;
  const { database, sealer, abilities } = services;
  if (running > 0 && (await tryDrain(database, worker, abilities))) return undefined;
  const isClaimable = `${isRunnable(abilities, '$2')} and expires_at > now() and not ${isSuspect}`;
  const [row] = await database.query<ClaimedRow>(
    `with recursive ${waitingTenants}, taken as (
         update render_jobs
         set state = 'downloading_inputs', worker = $1, run = fresh.run,
           lone_run = case when ${isSuspect} then fresh.run end, drained_by = null, drained_until = null
         from (select gen_random_uuid() as run) as fresh
         where id = coalesce(${running > 0 ? '' : `(${suspectForIdle(abilities)}),`} (
           select id from render_jobs
           where state in ${waitingStates} and ${isClaimable} and left_worker = $1 and ($3 or not visitor)
           order by created_at limit 1 for update skip locked
         ), (
           ${jobInTurn(`${isClaimable} and ${isDiskBackoffOver}`, '$3')}
         ))
         returning render_jobs.run, id, owner, ${tenantOfJob} as tenant, request_id, trace_context, format,
           description, test, visitor, stored_quota::float8 as stored_quota, expires_at,
           extract(epoch from now() - created_at)::double precision * 1000 as waited_ms,
           lone_run is not null as alone,
           left_run is null and deaths = 0 and full_disks = 0 as is_first_run,
           case when left_worker = $1 then left_run end as former,
           case when left_worker = $1 then progress else 0 end as progress
       ), started as (
         insert into render_progress (run, progress, beat_at) select run, progress, now() from taken
       ), turns as (${endTurns})
       select * from taken`,
    [worker, abilities.maxFormat, withVisitors],
  );
  if (row === undefined) return undefined;
  const job = openJob(sealer, row);
  if (job === undefined) {
    await failRun(database, row.run, secretLostError(), 0);
    return await claimJob(services, worker, limits);
  }
  const { run, id, owner, test, visitor, stored_quota: storedQuota, alone, former, progress } = row;
  return {
    ...{ run, id, owner, ...originOf(row), job, test, visitor, alone },
    ...(storedQuota === null ? {} : { storedQuota }),
    expiresAt: row.expires_at,
    waitedMs: row.waited_ms,
    isFirstRun: row.is_first_run,
    ...(former === null ? {} : { previousRun: { run: former, progress } }),
  };
}

function originOf({ request_id: requestId, trace_context: traceContext }: ClaimedRow): Pick<ClaimedJob, 'origin'> {
  if (requestId === null) return {};
  return { origin: { requestId, ...(traceContext === null ? {} : { traceContext }) } };
}

/** Whether a job is waiting that workers with these abilities can run, not counting those of visitors if they may not. */
export async function hasWaitingJob(sql: Sql, abilities: WorkerAbilities, withVisitors = true): Promise<boolean> {
  const [row] = await sql.query<{ waiting: boolean }>(
    `select exists (
       select from render_jobs where state in ${waitingStates} and ${isRunnable(abilities, '$1')} and expires_at > now()
         ${withVisitors ? '' : `and ${tenantOfJob} > '${visitors}'`}
     ) as waiting`,
    [abilities.maxFormat],
  );
  return row?.waiting === true;
}

function secretLostError(): MillraceError {
  const message = 'The job was encrypted with a secret that the service no longer has. Start it again.';
  return new MillraceError('unexpected_error', message);
}

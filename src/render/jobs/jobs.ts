import { ownerOf } from '../../accounts/owner.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-status.ts';
import type { RequestOrigin } from '../../contract/request-origin.ts';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import { type Database, notify, type Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { cancelJob } from './cancel-job.ts';
import type { CancelOutcome } from './cancel-rules.ts';
import { deleteFinishedJob } from './delete-job.ts';
import { requiredFormat } from './description-format.ts';
import { failureColumns, failureValues } from './failure-columns.ts';
import { activeStates, queueChannel, stalledAfter, waitingStates } from './job-states.ts';
import { createOwnerTurns } from './owner-turns.ts';
import { readRetriedJob, retriedMessage } from './retry-job.ts';
import { sealJob } from './sealed-job.ts';
import {
  acceptedMessage,
  atCapacityError,
  attachedMessage,
  canAttach,
  countedAs,
  decideStart,
  type ExistingJob,
  initialState,
  isNearLimit,
  type Load,
  type LoadCounts,
  loadOf,
  tooManyJobsError,
} from './start-rules.ts';
import { readStatusRows, type StatusRow } from './status-row.ts';
import { storeWebhook } from './store-webhook.ts';
import { isStored, type StoredLimits, storedSizeRefusal } from './stored-size.ts';
import { tenantOf, tenantOfJob } from './tenants.ts';
import type { Visitor } from './visitor-limits.ts';
import { countVisitorStart, lockVisitor } from './visitor-starts.ts';

/** The outcome of a start call. */
export interface StartOutcome {
  readonly jobId: string;
  /** `false` if a job with this ID existed and the caller is attached to it. */
  readonly isNew: boolean;
  readonly message: string;
  /** The job, if it has already finished: it was done before, or it failed immediately because too many jobs wait. */
  readonly finishedJob?: StatusRow;
}

/** Options of a start. */
export interface StartOptions {
  /** The request that starts the job. An attached job keeps its own. */
  readonly origin?: RequestOrigin;
  /** Maximum unfinished jobs of the owner, on all nodes together; unlimited by default. */
  readonly maxUnfinished?: number;
  /** What limits the finished files of the job's tenant; nothing by default. */
  readonly stored?: StoredLimits;
  /** The visitor of the page who starts the job. */
  readonly visitor?: Visitor;
  /** Whether a test key starts the job, so that its inputs come from the lab. Default: false. */
  readonly test?: boolean;
}

/** Options of a retry. */
export interface RetryOptions extends StartOptions {
  /** Called with the description of the job. If it throws, the retry fails with its error, and the job is unchanged. */
  readonly check?: (job: Job) => void;
}

/** The callers' interface to the jobs. */
export interface Jobs {
  /**
   * Starts a job; or attaches to the one with its ID, extends it if it is done, and restarts it if it failed or
   * stalled. If a call fails without a response, so that its effect is unknown, repeat it: the repeated call attaches.
   *
   * @throws MillraceError `forbidden` if the ID belongs to another owner, `rate_limited` if the owner or visitor has too many
   * or too large files,
   * `service_unavailable` if the database is unreachable.
   */
  start(job: Job, owner: string, options?: StartOptions): Promise<StartOutcome>;
  /**
   * Attaches the owner to the job with this ID; undefined if no such job exists, or the owner cannot be attached to it.
   *
   * @param visitor ID of the visitor of the page who attaches.
   */
  attach(id: string, owner: string, visitor?: string): Promise<StartOutcome | undefined>;
  /**
   * Runs a failed job again, with its description and webhook. It keeps its ID.
   *
   * @throws MillraceError `not_found`, `forbidden`; `conflict` if the job has not failed or has no description; the
   * errors of {@link start}.
   */
  retry(id: string, owner: string, options?: RetryOptions): Promise<StartOutcome>;
  /** Ends an unfinished job; see {@link cancelJob}. `visitor`: ID of the visitor of the page who cancels it. */
  cancel(id: string, owner: string, visitor?: string): Promise<CancelOutcome>;
  /** Deletes a finished job; see {@link deleteFinishedJob}. */
  deleteFinished(id: string, owner: string): Promise<StatusRow | undefined>;
}

/** The state that decides the outcome of a start. */
export interface StartConditions {
  /** Returns the job that has this ID. */
  existing(id: string): Promise<ExistingJob | undefined>;
  /** Returns the load that affects a start of the job `id` by the owner, or by a visitor of the page. */
  load(id: string, owner: string, isVisitor: boolean): Promise<Load>;
  /** Returns the error of a start whose tenant stores too many files; undefined if it does not. */
  storedSizeRefusal(tenant: string, limits: StoredLimits): Promise<MillraceError | undefined>;
}

/** Returns the start conditions of a database. */
export function startConditionsOf(sql: Sql): StartConditions {
  return {
    existing: (id) => readExistingJob(sql, id, ''),
    load: (...start) => readLoad(sql, ...start),
    storedSizeRefusal: (...start) => storedSizeRefusal(sql, ...start),
  };
}

/** Opens the jobs of a database, of which up to `maxQueued` may wait. Owners and visitors take turns there. */
export function openJobs(database: Database, sealer: Sealer, maxQueued: number): Jobs {
  const turnsOf = createOwnerTurns(database);

  async function start(job: Job, owner: string, options: StartOptions = {}): Promise<StartOutcome> {
    const { maxUnfinished, visitor } = options;
    return turnsOf(ownerOf({ id: owner, visitor: visitor?.id })).transaction(async (sql) => {
      if (maxUnfinished !== undefined) await lockOwner(sql, owner);
      if (visitor !== undefined) await lockVisitor(sql, visitor);
      const row = await insertJob(sql, job, owner, options);
      if (row !== undefined) {
        if (visitor !== undefined) await countVisitorStart(sql, visitor, job.id, 'start');
        return announceStart(sql, row, acceptedMessage);
      }
      const existing = await readExistingJob(sql, job.id, 'for update');
      if (existing === undefined) {
        throw new MillraceError('service_unavailable', `Job ${job.id} is being deleted. Start it again.`);
      }
      const decision = decideStart(existing, job, owner);
      if (decision.begins) {
        const newRow = await replaceJob(sql, job, owner, options);
        if (visitor !== undefined) await countVisitorStart(sql, visitor, job.id, countedAs(existing));
        return announceStart(sql, newRow, decision.message);
      }
      if (decision.extends) await extendJob(sql, job.id, job.ttl);
      return readAttachedJob(sql, job.id, existing.state, decision.message);
    });
  }

  /** Replaces the row of a job with a new one. */
  async function replaceJob(sql: Sql, job: Job, owner: string, options: StartOptions): Promise<NewRow> {
    await deleteJob(sql, job.id);
    const row = await insertJob(sql, job, owner, options);
    if (row === undefined)
      throw new Error(`job ${job.id} was inserted by another transaction while its row was locked`);
    return row;
  }

  /** Adds the row; returns undefined if a row with this ID exists. */
  async function insertJob(sql: Sql, job: Job, owner: string, options: StartOptions): Promise<NewRow | undefined> {
    const { origin, maxUnfinished = Number.POSITIVE_INFINITY, stored, visitor, test = false } = options;
    const isVisitor = visitor !== undefined;
    const load = await measureLoad(sql, job.id, owner, isVisitor);
    const state = initialState(load, maxQueued, isVisitor);
    const full = state === 'failed';
    const { webhook, ...work } = job;
    const { format, description } = sealJob(sealer, work, requiredFormat(work, test));
    const rows = await sql.query(
      `with superseded as (delete from late_webhooks where job_id = $1 and owner = $2)
       insert into render_jobs (id, owner, state, format, description, ttl, expires_at, request_id, trace_context, subjects, test,
         visitor, stored_quota, ${failureColumns})
       values ($1, $2, $3, $4, $5, $6::integer, now() + $6::integer * interval '1 millisecond', $7, $8, $9::text[], $10,
         $11, $12, $13, $14, $15, $16)
       on conflict (id) do nothing returning id`,
      [
        job.id,
        owner,
        state,
        format,
        description,
        job.ttl,
        origin?.requestId ?? null,
        origin?.traceContext ?? null,
        (job.origin ?? job.item)?.subjects ?? null,
        test,
        isVisitor,
        stored?.quota ?? null,
        ...failureValues(full ? atCapacityError() : undefined),
      ],
    );
    if (rows.length === 0) return undefined;
    // The rollback of the transaction removes the new row.
    if (load.unfinishedJobs >= maxUnfinished) throw tooManyJobsError(maxUnfinished);
    if (stored !== undefined && isStored(job)) {
      const refusal = await storedSizeRefusal(sql, tenantOf(owner, isVisitor), stored);
      if (refusal !== undefined) throw refusal;
    }
    if (webhook !== undefined) await storeWebhook(sql, sealer, { id: job.id, owner, webhook, failedAtOnce: full });
    return { id: job.id, full };
  }

  /**
   * Measures the load. Concurrent starts do not see each other. Near a limit, they are serialized on all nodes;
   * otherwise only those of one owner wait for each other (decision 13).
   */
  async function measureLoad(sql: Sql, id: string, owner: string, isVisitor: boolean): Promise<Load> {
    const load = await readLoad(sql, id, owner, isVisitor);
    if (!isNearLimit(load, maxQueued, isVisitor)) return load;
    await sql.query('select pg_advisory_xact_lock($1::bigint)', [advisoryLocks.capacity]);
    return readLoad(sql, id, owner, isVisitor);
  }

  return {
    start,
    async attach(id, owner, visitor) {
      return turnsOf(ownerOf({ id: owner, visitor })).transaction(async (sql) => {
        const existing = await readExistingJob(sql, id, 'for update');
        if (!canAttach(existing, id, owner)) return undefined;
        return readAttachedJob(sql, id, existing.state, attachedMessage(existing.state));
      });
    },
    async retry(id, owner, options = {}) {
      return turnsOf(owner).transaction(async (sql) => {
        if (options.maxUnfinished !== undefined) await lockOwner(sql, owner);
        const job = await readRetriedJob(sql, sealer, id, owner);
        options.check?.(job);
        return announceStart(sql, await replaceJob(sql, job, owner, options), retriedMessage);
      });
    },
    cancel: (id, owner, visitor) => cancelJob(turnsOf(ownerOf({ id: owner, visitor })), id, owner),
    deleteFinished: (id, owner) => deleteFinishedJob(turnsOf(owner), id, owner),
  };
}

/** Reads the load that affects a start of the job `id` by the owner, or by a visitor of the page. */
async function readLoad(sql: Sql, id: string, owner: string, isVisitor: boolean): Promise<Load> {
  const [counts] = await sql.query<LoadCounts>(
    `select
      (select count(*) from render_jobs where state in ${waitingStates})::integer as waiting,
      (select count(*) from render_jobs where state in ${activeStates})::integer as active,
      (select coalesce(sum(slots), 0) from workers where beat_at > now() - ${stalledAfter})::integer as slots,
      (select count(*) from render_jobs where state in ${waitingStates} and ${tenantOfJob} = $3)::integer as "tenantWaiting",
      (select count(*) from render_jobs where owner = $1 and state not in ('done', 'failed') and id <> $2)::integer
        as unfinished`,
    [owner, id, tenantOf(owner, isVisitor)],
  );
  return counts === undefined ? { backlog: 0, tenantWaiting: 0, unfinishedJobs: 0 } : loadOf(counts);
}

/** Serializes the owner's starts on all nodes, so that each one counts the jobs that earlier ones have added. */
async function lockOwner(sql: Sql, owner: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.jobs, owner]);
}

/** Reads the row of a job; `for update` locks it until the transaction ends. */
async function readExistingJob(sql: Sql, id: string, lock: '' | 'for update'): Promise<ExistingJob | undefined> {
  const [row] = await sql.query<ExistingJob>(
    `select owner, state, expires_at <= now() as expired,
       state in ${activeStates} and coalesce(
         (select beat_at from render_progress where run = render_jobs.run), created_at
       ) < now() - ${stalledAfter} as stalled,
       error_code as failure
     from render_jobs where id = $1 ${lock}`,
    [id],
  );
  return row;
}

/** Deletes a job. Its files, and those of an active run, are deleted later by the sweeper. */
async function deleteJob(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `with gone as (delete from render_jobs where id = $1 returning run, file_key),
       runs as (delete from render_progress where run in (select run from gone))
     insert into file_deletions (file_key)
     select coalesce(file_key, run::text) from gone where coalesce(file_key, run::text) is not null
     on conflict do nothing`,
    [id],
  );
}

async function extendJob(sql: Sql, id: string, ttl: number): Promise<void> {
  await sql.query(
    `update render_jobs set expires_at = greatest(expires_at, now() + $2::integer * interval '1 millisecond') where id = $1`,
    [id, ttl],
  );
}

/** A row added by a start; `full`: the job failed immediately because too many jobs wait. */
interface NewRow {
  readonly id: string;
  readonly full: boolean;
}

async function announceStart(sql: Sql, { id, full }: NewRow, message: string): Promise<StartOutcome> {
  await notify(sql, queueChannel, id);
  return { jobId: id, isNew: true, message, ...(full ? await readFinishedJob(sql, id) : {}) };
}

async function readAttachedJob(sql: Sql, id: string, state: JobState, message: string): Promise<StartOutcome> {
  return { jobId: id, isNew: false, message, ...(state === 'done' ? await readFinishedJob(sql, id) : {}) };
}

async function readFinishedJob(sql: Sql, id: string): Promise<Pick<StartOutcome, 'finishedJob'>> {
  const finishedJob = (await readStatusRows(sql, [id])).get(id);
  return finishedJob === undefined ? {} : { finishedJob };
}

import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState, RenderCancelResponse } from '../../contract/status.ts';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import { type Database, notify, type Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { cancelJob } from './cancel-job.ts';
import { storeWebhook } from './job-webhook.ts';
import {
  accepted,
  atCapacity,
  attachedMessage,
  type Counts,
  decideStart,
  type ExistingJob,
  firstState,
  type Load,
  loadOf,
  mayAttach,
  tooMany,
} from './start-rules.ts';
import { activeStates, queueChannel, stalledAfter, waitingStates } from './states.ts';
import { readStatus, type StatusRow } from './status-row.ts';
import { failureColumns, failureValues } from './stored-failure.ts';
import { sealJob } from './stored-job.ts';

/** The outcome of a start call. */
export interface StartOutcome {
  readonly jobId: string;
  /** `false` when a job with this id existed and the caller is attached to it. */
  readonly fresh: boolean;
  readonly message: string;
  /** The job, if it is already over: done before, or failed at once because too many wait. */
  readonly over?: StatusRow;
}

/** The jobs, as callers see them. */
export interface Jobs {
  /**
   * Starts a job; or attaches to the one with its id, extends it when done, restarts it when failed or stalled. It may
   * be called again after it failed without an answer, when nobody knows whether it took effect: that attaches.
   *
   * @param most Unfinished jobs that the owner may have, on all nodes together; default: any number.
   * @throws MillraceError `forbidden` when the id belongs to another owner, `rate_limited` when the owner has too many,
   *   `service_unavailable` when the database is out of reach.
   */
  start(job: Job, owner: string, most?: number): Promise<StartOutcome>;
  /** Whether the owner has a job with this id that can still be attached to. */
  attach(id: string, owner: string): Promise<StartOutcome | undefined>;
  /** Ends a job that is not over; see {@link cancelJob}. */
  cancel(id: string, owner: string): Promise<RenderCancelResponse['status']>;
}

/** More starts than this hardly happen at one moment, on all nodes together. */
const MANY_AT_ONCE = 100;

/** What the start of a job depends on. */
export interface StartConditions {
  /** The job that has this id. */
  existing(id: string): Promise<ExistingJob | undefined>;
  /** The load as a start of the job `id` sees it. */
  load(id: string, owner: string): Promise<Load>;
}

/** Returns the start conditions of a database. */
export function startConditionsOf(sql: Sql): StartConditions {
  return { existing: (id) => readRow(sql, id, ''), load: (id, owner) => readLoad(sql, id, owner) };
}

/** Opens the jobs of a database. `maxQueued` jobs may wait. */
export function openJobs(database: Database, sealer: Sealer, maxQueued: number): Jobs {
  async function start(job: Job, owner: string, most = Number.POSITIVE_INFINITY): Promise<StartOutcome> {
    return database.transaction(async (sql) => {
      if (Number.isFinite(most)) await lockOwner(sql, owner);
      const inserted = await insert(sql, job, owner, most);
      if (inserted !== undefined) return begun(sql, inserted, accepted);
      const existing = await readRow(sql, job.id, 'for update');
      if (existing === undefined) {
        throw new MillraceError('service_unavailable', `Job ${job.id} is just being deleted. Start it again.`);
      }
      const decision = decideStart(existing, job, owner);
      if (decision.begins) return begun(sql, await replace(sql, job, owner, most), decision.message);
      if (decision.extends) await extend(sql, job.id, job.ttl);
      return attached(sql, job.id, existing.state, decision.message);
    });
  }

  /** Puts a new row in the place of the job's former one. */
  async function replace(sql: Sql, job: Job, owner: string, most: number): Promise<NewRow> {
    await remove(sql, job.id);
    const inserted = await insert(sql, job, owner, most);
    if (inserted === undefined) throw new Error(`job ${job.id} was inserted by somebody else while its row was locked`);
    return inserted;
  }

  /** Adds the row; returns undefined when there is one with its id. */
  async function insert(sql: Sql, job: Job, owner: string, most: number): Promise<NewRow | undefined> {
    const load = await weigh(sql, job.id, owner);
    const state = firstState(load, maxQueued);
    const full = state === 'failed';
    const { webhook, ...work } = job;
    const { format, description } = sealJob(sealer, work);
    const inserted = await sql.query(
      `with superseded as (delete from late_webhooks where job_id = $1 and owner = $2)
       insert into render_jobs (id, owner, state, format, description, ttl, expires_at, ${failureColumns})
       values ($1, $2, $3, $4, $5, $6::integer, now() + $6::integer * interval '1 millisecond', $7, $8, $9, $10)
       on conflict (id) do nothing returning id`,
      [
        job.id,
        owner,
        state,
        format,
        full ? null : description,
        job.ttl,
        ...failureValues(full ? atCapacity() : undefined),
      ],
    );
    if (inserted.length === 0) return undefined;
    // The transaction takes the new row away again.
    if (load.unfinished >= most) throw tooMany(most);
    if (webhook !== undefined) await storeWebhook(sql, sealer, { id: job.id, owner, webhook, over: full });
    return { id: job.id, full };
  }

  /**
   * Weighs the load. Starts at the same moment do not see each other, so where a few more or less decide, they come one
   * after the other, on all nodes; elsewhere nobody waits (decision 13).
   */
  async function weigh(sql: Sql, id: string, owner: string): Promise<Load> {
    const load = await readLoad(sql, id, owner);
    const decides = [0, maxQueued].some((limit) => Math.abs(load.queued - limit) <= MANY_AT_ONCE);
    if (!decides) return load;
    await sql.query('select pg_advisory_xact_lock($1::bigint)', [advisoryLocks.capacity]);
    return readLoad(sql, id, owner);
  }

  return {
    start,
    async attach(id, owner) {
      return database.transaction(async (sql) => {
        const existing = await readRow(sql, id, 'for update');
        if (!mayAttach(existing, id, owner)) return undefined;
        return attached(sql, id, existing.state, attachedMessage(existing.state));
      });
    },
    cancel: (id, owner) => cancelJob(database, id, owner),
  };
}

/** Reads the load as a start of the job `id` sees it. */
async function readLoad(sql: Sql, id: string, owner: string): Promise<Load> {
  const [counts] = await sql.query<Counts>(
    `select
      (select count(*) from render_jobs where state in ${waitingStates})::integer as waiting,
      (select count(*) from render_jobs where state in ${activeStates})::integer as active,
      (select coalesce(sum(slots), 0) from workers where beat_at > now() - ${stalledAfter})::integer as slots,
      (select count(*) from render_jobs where owner = $1 and state not in ('done', 'failed') and id <> $2)::integer
        as unfinished`,
    [owner, id],
  );
  return counts === undefined ? { queued: 0, unfinished: 0 } : loadOf(counts);
}

/** The owner's starts come one after the other, on all nodes: each counts what those before it have added. */
async function lockOwner(sql: Sql, owner: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.jobs, owner]);
}

/** Reads the row of a job; `for update` keeps it from changing until the transaction ends. */
async function readRow(sql: Sql, id: string, lock: '' | 'for update'): Promise<ExistingJob | undefined> {
  const [row] = await sql.query<ExistingJob>(
    `select owner, state, expires_at <= now() as expired,
       state in ${activeStates} and coalesce(
         (select beat_at from render_progress where run = render_jobs.run), created_at
       ) < now() - ${stalledAfter} as stalled
     from render_jobs where id = $1 ${lock}`,
    [id],
  );
  return row;
}

/** Deletes a job; its files, and those of a run that was under way, are deleted in their own time. */
async function remove(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `with gone as (delete from render_jobs where id = $1 returning run, file_key),
       runs as (delete from render_progress where run in (select run from gone))
     insert into file_deletions (file_key)
     select coalesce(file_key, run::text) from gone where coalesce(file_key, run::text) is not null
     on conflict do nothing`,
    [id],
  );
}

async function extend(sql: Sql, id: string, ttl: number): Promise<void> {
  await sql.query(
    `update render_jobs set expires_at = greatest(expires_at, now() + $2::integer * interval '1 millisecond') where id = $1`,
    [id, ttl],
  );
}

/** A row that a start has added; `full`: the job failed at once, because too many wait. */
interface NewRow {
  readonly id: string;
  readonly full: boolean;
}

async function begun(sql: Sql, { id, full }: NewRow, message: string): Promise<StartOutcome> {
  await notify(sql, queueChannel, id);
  return { jobId: id, fresh: true, message, ...(full ? await readOver(sql, id) : {}) };
}

async function attached(sql: Sql, id: string, state: JobState, message: string): Promise<StartOutcome> {
  return { jobId: id, fresh: false, message, ...(state === 'done' ? await readOver(sql, id) : {}) };
}

async function readOver(sql: Sql, id: string): Promise<Pick<StartOutcome, 'over'>> {
  const over = (await readStatus(sql, [id])).get(id);
  return over === undefined ? {} : { over };
}

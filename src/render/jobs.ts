import { MillraceError } from '../contract/errors.ts';
import type { Job } from '../contract/job.ts';
import type { RenderCancelResponse } from '../contract/status.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { type Database, notify, type Sql } from '../database/database.ts';
import type { Sealer } from '../sealing.ts';
import { cancelJob } from './cancel-job.ts';
import { activeStates, queueChannel, stalledAfter, waitingStates } from './states.ts';
import { readStatus, type StatusRow } from './status-row.ts';
import { failureColumns, failureValues } from './stored-failure.ts';
import { sealJob } from './stored-job.ts';
import { keepWebhook } from './webhooks/webhook-store.ts';

/** What a start call came to. */
export interface StartOutcome {
  readonly jobId: string;
  /** `false` when a job with this id was there and the caller is attached to it. */
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

/** What decides how a start with a job's id goes. */
export interface ExistingRow {
  owner: string;
  state: string;
  expired: boolean;
  stalled: boolean;
}

/** Why a job fails at once when as many wait as may. */
export function atCapacity(): MillraceError {
  return new MillraceError('at_capacity', 'Service at capacity. Wait a few seconds and start the same job again.');
}

/** More starts than this are hardly under way at one moment, on all nodes together. */
const MANY_AT_ONCE = 100;

/** How busy the service is, and an owner. */
export interface Load {
  /** Jobs that wait and find no free slot; negative while there are slots that no waiting job is about to take. */
  readonly queued: number;
  /** Other unfinished jobs of the owner. */
  readonly unfinished: number;
}

/** Opens the jobs of a database. `maxQueued` jobs may wait. */
export function openJobs(database: Database, sealer: Sealer, maxQueued: number): Jobs {
  async function start(job: Job, owner: string, most = Number.POSITIVE_INFINITY): Promise<StartOutcome> {
    return database.transaction(async (sql) => {
      if (Number.isFinite(most)) await lockOwner(sql, owner);
      const inserted = await insert(sql, job, owner, most);
      if (inserted !== undefined) return begun(sql, inserted, 'The job was accepted.');
      const existing = await readRow(sql, job.id, 'for update');
      if (existing === undefined) {
        throw new MillraceError('service_unavailable', `Job ${job.id} is just being deleted. Start it again.`);
      }
      if (existing.expired) {
        return begun(sql, await replace(sql, job, owner, most), 'The job was accepted.');
      }
      if (existing.owner !== owner) throw notYours(job.id);
      if (existing.state === 'failed' || existing.stalled) {
        const message = `The job had ${existing.stalled ? 'stalled' : 'failed'} and starts again.`;
        return begun(sql, await replace(sql, job, owner, most), message);
      }
      if (existing.state === 'done') await extend(sql, job.id, job.ttl);
      return attached(sql, job, existing.state);
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
    const { queued, unfinished } = await weigh(sql, job.id, owner);
    const full = queued >= maxQueued;
    const state = full ? 'failed' : queued < 0 ? 'pending' : 'queued';
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
    if (unfinished >= most) throw tooMany(most);
    if (webhook !== undefined) await keepWebhook(sql, sealer, { id: job.id, owner, webhook, over: full });
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
        if (existing === undefined || existing.expired || existing.state === 'failed' || existing.stalled) {
          return undefined;
        }
        if (existing.owner !== owner) throw notYours(id);
        return attached(sql, { id }, existing.state);
      });
    },
    cancel: (id, owner) => cancelJob(database, id, owner),
  };
}

/** Reads the load as a start of the job `id` sees it. */
export async function readLoad(sql: Sql, id: string, owner: string): Promise<Load> {
  const [load] = await sql.query<Load>(
    `select
      (select count(*) from render_jobs where state in ${waitingStates})::integer
        - greatest(0, (select coalesce(sum(slots), 0) from workers where beat_at > now() - ${stalledAfter})
            - (select count(*) from render_jobs where state in ${activeStates}))::integer as queued,
      (select count(*) from render_jobs where owner = $1 and state not in ('done', 'failed') and id <> $2)::integer
        as unfinished`,
    [owner, id],
  );
  return load ?? { queued: 0, unfinished: 0 };
}

/** The owner's starts come one after the other, on all nodes: each counts what those before it have added. */
async function lockOwner(sql: Sql, owner: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.jobs, owner]);
}

/** Reads the row of a job; `for update` keeps it from changing until the transaction ends. */
export async function readRow(sql: Sql, id: string, lock: '' | 'for update'): Promise<ExistingRow | undefined> {
  const [row] = await sql.query<ExistingRow>(
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

async function attached(sql: Sql, job: Pick<Job, 'id' | 'webhook'>, state: string): Promise<StartOutcome> {
  const { id, webhook } = job;
  const message = state === 'done' ? 'The job is done; its file is ready.' : 'The job exists and is under way.';
  const kept = webhook === undefined ? '' : ' Whom it tells of its end was settled when it began.';
  return { jobId: id, fresh: false, message: message + kept, ...(state === 'done' ? await readOver(sql, id) : {}) };
}

async function readOver(sql: Sql, id: string): Promise<Pick<StartOutcome, 'over'>> {
  const over = (await readStatus(sql, [id])).get(id);
  return over === undefined ? {} : { over };
}

/** The refusal of an owner's job too many; within the transaction it takes the new row away again. */
export function tooMany(most: number): MillraceError {
  const message = `Your key has ${most} unfinished jobs, as many as it may have. Start this one when one is done.`;
  return new MillraceError('rate_limited', message);
}

/** The refusal of another owner. */
export function notYours(id: string): MillraceError {
  return new MillraceError('forbidden', `Job ${id} was started by someone else. Use another id.`);
}

import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { OutputNote } from '../../contract/notes.ts';
import { asynchronousCommit } from '../../database/asynchronous-commit.ts';
import { type Database, notify, type Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealing.ts';
import { type DiskUse, handBackFull, othersGoFirst } from './full-disk.ts';
import { readableFormat } from './job-format.ts';
import { activeStates, finalChannel, lostAfter, queueChannel, waitingStates, writtenAgainAfter } from './states.ts';
import { failureColumns, failureValues } from './stored-failure.ts';
import { openJob } from './stored-job.ts';
import { drains, isSuspect, loneDeathCounts, MOST_LONE_DEATHS, suspectForIdle, workerLost } from './suspects.ts';

/** A job that this worker has taken up. */
export interface ClaimedJob {
  /** The right to work on it; names its folder and its file. */
  readonly run: string;
  readonly id: string;
  readonly job: Job;
  readonly expiresAt: Date;
  /** Whether the worker may run no other job beside it: nodes that ran it have died. */
  readonly alone: boolean;
  /** This worker's own former run of it: what is left of that may be gone on with. */
  readonly former?: { readonly run: string; readonly progress: number };
}

interface ClaimedRow {
  run: string;
  id: string;
  format: number;
  description: string;
  expires_at: Date;
  alone: boolean;
  former: string | null;
  progress: number;
}

/** A file that a job made. */
export interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly link: string;
  /** SHA-256 in base64, where it is known already. */
  readonly sha256?: string;
  /** How it differs from the job's inputs. */
  readonly notes: readonly OutputNote[];
}

/** How long the database remembers a worker that gives no sign of life. */
const forgottenAfter = `interval '5 minutes'`;

/** Takes the run from a job `j`, which remembers whose it was, as SQL. */
const leaveRun = 'left_worker = j.worker, left_run = j.run, worker = null, run = null';

/**
 * The waiting jobs, as a worker sees them. The job's own row is the queue: what is waiting, who works on it and what
 * came of it can never disagree. Every write names the run, so a worker that lost its job changes nothing any more.
 */
export interface Queue {
  /**
   * Claims a job for a worker that runs `running` others, not counting those that only wait for the store: a suspect if it
   * runs none ({@link ClaimedJob.alone}), else a job that it had before, else the one that has waited longest. Nothing if
   * none waits, or the worker drains for a suspect.
   */
  claim(worker: string, running?: number): Promise<ClaimedJob | undefined>;
  /**
   * Whether a job waits that the worker may be able to claim: costs the database a fraction of a claim that finds nothing.
   */
  isWaiting(): Promise<boolean>;
  /** Gives a sign of life for a worker and its runs, with their progress. Returns the runs that are still its own. */
  beat(worker: string, slots: number, progress: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>;
  /** Moves a run to its next stage, whose progress begins here; `false` when the run is no longer valid. */
  enter(run: string, state: 'processing' | 'uploading_output', progress: number): Promise<boolean>;
  /**
   * Ends a run with a file; `false` when the run is no longer valid, and the file must go. May be called again after it
   * failed without an answer, when nobody knows whether it took effect.
   */
  complete(run: string, file: StoredFile): Promise<boolean>;
  /**
   * Notes that the result of a run only waits for the store from now on: the run is not alone any more, and the death of
   * its node counts for nothing.
   */
  leaveSlot(run: string): Promise<void>;
  /** Ends a run without one. */
  fail(run: string, error: MillraceError, progress: number): Promise<void>;
  /**
   * Puts a run's job back in the queue because the worker stops, and lets the sweeper delete what it may have stored. That
   * does not count as a death of its node. `false` if the run is no longer valid, and its file must be deleted.
   */
  handBack(run: string): Promise<boolean>;
  /** Does the same because the worker's disk is full; see {@link handBackFull}. */
  handBackFull(run: string, besides: DiskUse): Promise<void>;
  /**
   * Does the same with whatever else a worker holds: runs that it took up without hearing of it, or gave up while the
   * database was away. `known`: those that it is at work on.
   */
  handBackOthers(worker: string, known: readonly string[]): Promise<void>;
  /**
   * Puts the jobs of lost workers back in the queue, and counts a death of the node for each whose result did not only
   * wait for the store. Fails those that were alone on dying nodes too often. A worker is lost after {@link lostAfter}
   * without a sign of life. `all`: takes every worker for lost, if there can be no other than this one. `begun`: only this
   * worker, which has just started and runs nothing; others may be silent because the database was away.
   */
  recover(all: boolean, begun?: string): Promise<void>;
  /** The runs of a worker that it may go on with: those it has, and those it had and may be given again. */
  resumable(worker: string): Promise<ReadonlySet<string>>;
  /** Takes a worker out of the count. */
  leave(worker: string): Promise<void>;
}

/** Whether a job is running or a worker is to be forgotten. Idle nodes ask every few seconds. */
async function mayHaveLost(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ may: boolean }>(
    `select exists (select from render_jobs where run is not null)
       or exists (select from workers where beat_at < now() - ${forgottenAfter}) as may`,
  );
  return row?.may === true;
}

/** Opens the queue of a database. Its workers read job descriptions up to the format `reads`. */
export function openQueue(database: Database, sealer: Sealer, reads = readableFormat): Queue {
  return {
    async claim(worker, running = 0) {
      if (running > 0 && (await drains(database, worker, reads))) return undefined;
      const [row] = await database.query<ClaimedRow>(
        `with taken as (
           update render_jobs
           set state = 'downloading_inputs', worker = $1, run = fresh.run,
             lone_run = case when ${isSuspect} then fresh.run end, drained_by = null, drained_until = null
           from (select gen_random_uuid() as run) as fresh
           where id = coalesce(${running > 0 ? '' : `(${suspectForIdle}),`} (
             select id from render_jobs
             where state in ${waitingStates} and format <= $2 and expires_at > now()
               and left_worker = $1 and not ${isSuspect}
             order by created_at limit 1 for update skip locked
           ), (
             select id from render_jobs
             where state in ${waitingStates} and format <= $2 and expires_at > now()
               and not ${isSuspect} and ${othersGoFirst}
             order by created_at limit 1 for update skip locked
           ))
           returning render_jobs.run, id, format, description, expires_at, lone_run is not null as alone,
             case when left_worker = $1 then left_run end as former,
             case when left_worker = $1 then progress else 0 end as progress
         ), started as (
           insert into render_progress (run, progress, beat_at) select run, progress, now() from taken
         )
         select * from taken`,
        [worker, reads],
      );
      if (row === undefined) return undefined;
      const job = openJob(sealer, row);
      if (job === undefined) {
        await this.fail(row.run, secretLost(), 0);
        return this.claim(worker, running);
      }
      const { run, id, expires_at: expiresAt, alone } = row;
      const former = row.former === null ? {} : { former: { run: row.former, progress: row.progress } };
      return { run, id, job, expiresAt, alone, ...former };
    },

    async isWaiting() {
      const [row] = await database.query<{ waiting: boolean }>(
        `select exists (
           select from render_jobs where state in ${waitingStates} and format <= $1 and expires_at > now()
         ) as waiting`,
        [reads],
      );
      return row?.waiting === true;
    },

    async beat(worker, slots, progress) {
      await database.query(
        `insert into workers (id, slots, reads, beat_at)
         select $1::uuid, $2::integer, $3::integer, now() from ${asynchronousCommit}
         on conflict (id) do update set beat_at = now(), slots = excluded.slots, reads = excluded.reads`,
        [worker, slots, reads],
      );
      const runs = [...progress.keys()];
      if (runs.length === 0) return new Set();
      const own = await database.query<{ run: string }>(
        `with beat as (
           select * from unnest($1::uuid[], $2::integer[]) as b (run, progress)
         ), written as (
           update render_progress p set progress = greatest(p.progress, b.progress), beat_at = now()
           from beat b where p.run = b.run
             and (b.progress > p.progress or p.beat_at not between now() - ${writtenAgainAfter} and now())
         )
         select run from render_jobs j join render_progress using (run) join beat using (run)
         where j.expires_at > now()`,
        [runs, [...progress.values()]],
      );
      return new Set(own.map(({ run }) => run));
    },

    async enter(run, state, progress) {
      // Both at once: listeners see no stage with the progress of the one before.
      const entered = await database.query(
        `with entered as (
           update render_jobs set state = $2 where run = $1 and state in ${activeStates} returning run
         ), moved as (
           update render_progress set progress = greatest(progress, $3::integer) where run in (select run from entered)
         )
         select run from entered`,
        [run, state, progress],
      );
      return entered.length > 0;
    },

    async complete(run, file) {
      const ended = await end(
        run,
        `state = 'done', progress = 100, file_key = $2, file_name = $3, file_size = $4, file_link = $5, notes = $6::json,
         file_sha256 = $7, file_checked_at = case when $7::text is not null then now() end,
         expires_at = greatest(expires_at, now() + ttl * interval '1 millisecond')`,
        [file.key, file.name, file.size, file.link, JSON.stringify(file.notes), file.sha256 ?? null],
      );
      if (ended) return true;
      const before = await database.query('select 1 from render_jobs where file_key = $1', [file.key]);
      return before.length > 0;
    },

    async leaveSlot(run) {
      await database.query(
        `update render_jobs set waiting_run = run, lone_run = null where run = $1 and state in ${activeStates}`,
        [run],
      );
    },

    async fail(run, error, progress) {
      const values = [progress, ...failureValues(error)];
      await end(
        run,
        `state = 'failed', progress = $2, (${failureColumns}) = ($3, $4, $5::boolean, $6::integer)`,
        values,
      );
    },

    async handBack(run) {
      return await database.transaction(async (sql) => {
        const returned = await sql.query(
          `with returned as (
             update render_jobs j set state = 'queued', ${leaveRun},
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
        return returned.length > 0;
      });
    },

    handBackFull: (run, besides) => handBackFull(database, run, besides),

    async handBackOthers(worker, known) {
      await database.transaction(async (sql) => {
        const returned = await sql.query<{ id: string }>(
          `with others as (
             select j.id, j.run, p.progress from render_jobs j left join render_progress p using (run)
             where j.worker = $1 and j.state in ${activeStates} and j.run <> all($2::uuid[]) for update of j
           ), forgotten as (
             delete from render_progress where run in (select run from others)
           ), swept as (
             insert into file_deletions (file_key) select run::text from others on conflict do nothing
           )
           update render_jobs j set state = 'queued', ${leaveRun},
             progress = coalesce(others.progress, j.progress)
           from others where j.id = others.id
           returning j.id`,
          [worker, known],
        );
        for (const { id } of returned) await notify(sql, queueChannel, id);
      });
    },

    async recover(all, begun) {
      if (!all && begun === undefined && !(await mayHaveLost(database))) return;
      await database.transaction(async (sql) => {
        const lost = await sql.query<{ id: string; run: string; state: string }>(
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
             description = case when not ended then description end,
             (${failureColumns}) = (select $4::text, $5::text, $6::boolean, $7::integer where ended),
             deaths = deaths + (not alone and not waits)::integer, lone_deaths = lone_deaths + counts::integer,
             lost_at = case when waits then lost_at else now() end,
             progress = coalesce(lost.progress, j.progress), ${leaveRun}
           from lost where j.id = lost.id
           returning j.id, lost.run, j.state`,
          [all, MOST_LONE_DEATHS, begun ?? null, ...failureValues(workerLost())],
        );
        for (const { id, state } of lost) await notify(sql, state === 'failed' ? finalChannel : queueChannel, id);
        if (begun !== undefined) return;
        await sql.query(`delete from workers where $1 or beat_at < now() - ${forgottenAfter}`, [all]);
      });
    },

    async resumable(worker) {
      const runs = await database.query<{ run: string }>(
        `select run from render_jobs where worker = $1 and state in ${activeStates}
         union
         select left_run from render_jobs
         where left_worker = $1 and (state in ${waitingStates} or (state in ${activeStates} and worker = $1))`,
        [worker],
      );
      return new Set(runs.map(({ run }) => run));
    },

    async leave(worker) {
      await database.query('delete from workers where id = $1', [worker]);
    },
  };

  /** Ends a run that is still valid, and tells everyone who listens. */
  function end(run: string, assignments: string, values: readonly unknown[]): Promise<boolean> {
    return database.transaction(async (sql) => {
      const ended = await sql.query<{ id: string }>(
        `update render_jobs set ${assignments}, description = null, run = null, worker = null
         where run = $1 and state in ${activeStates} returning id`,
        [run, ...values],
      );
      await sql.query('delete from render_progress where run = $1', [run]);
      for (const { id } of ended) await notify(sql, finalChannel, id);
      return ended.length > 0;
    });
  }
}

function secretLost(): MillraceError {
  const message = 'The job was stored under a secret that is no longer known. Start it again.';
  return new MillraceError('unexpected_error', message);
}

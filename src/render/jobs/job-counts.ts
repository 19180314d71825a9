import { jobStates } from '../../contract/job-status.ts';
import type { Sql } from '../../database/database.ts';
import { stalledAfter, waitingStates } from './job-states.ts';

/** Failed attempts after which a file deletion counts as failing: about three minutes, with the sweeper's retries. */
const FAILING_AFTER = 5;

/** Counts the unfinished jobs by state. Finished jobs are not counted, because there may be a million. */
export async function countJobs(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ state: string; jobs: number }>(
    `select state, count(*)::integer as jobs from render_jobs
     where state not in ('done', 'failed') and expires_at > now() group by state`,
  );
  const none = jobStates.filter((state) => state !== 'done' && state !== 'failed').map((state) => [state, 0] as const);
  return new Map([...none, ...rows.map(({ state, jobs }) => [state, jobs] as const)]);
}

/** Counts the unfinished jobs of an owner. */
export async function countUnfinishedJobs(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql.query<{ jobs: number }>(
    `select count(*)::integer as jobs from render_jobs
     where owner = $1 and state not in ('done', 'failed') and expires_at > now()`,
    [owner],
  );
  return row?.jobs ?? 0;
}

/** Counts finished files and their bytes. Reads one index entry per file. */
export async function countFiles(sql: Sql): Promise<{ readonly files: number; readonly bytes: number }> {
  const [row] = await sql.query<{ files: number; bytes: number }>(
    `select count(*)::integer as files, coalesce(sum(file_size), 0)::double precision as bytes
     from render_jobs where file_key is not null`,
  );
  return row ?? { files: 0, bytes: 0 };
}

/** Counts of waiting jobs, workers and file deletions. */
interface QueueCounts {
  /** Number of jobs that wait for a worker. */
  readonly waiting: number;
  /** Seconds since the oldest waiting job was started; 0 if none waits. */
  readonly oldestWaiting: number;
  /** Number of workers that send heartbeats, and of the jobs that they can run concurrently. */
  readonly workers: number;
  readonly slots: number;
  /** Number of workers that stopped sending heartbeats; they are forgotten after five minutes. */
  readonly lostWorkers: number;
  /** Number of files to delete, and of those whose deletion has been failing for some minutes. */
  readonly deletions: number;
  readonly failingDeletions: number;
}

/** Counts waiting jobs, workers, and files to delete. */
export async function countQueue(sql: Sql): Promise<QueueCounts> {
  const alive = `beat_at > now() - ${stalledAfter}`;
  const [row] = await sql.query<QueueCounts>(
    `select waiting.*, workers.*,
       deletions.*
     from (
       select count(*)::integer as waiting,
         coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as "oldestWaiting"
       from render_jobs where state in ${waitingStates} and expires_at > now()
     ) as waiting, (
       select count(*) filter (where ${alive})::integer as workers,
         coalesce(sum(slots) filter (where ${alive}), 0)::integer as slots,
         count(*) filter (where not ${alive})::integer as "lostWorkers"
       from workers
     ) as workers, (
       select count(*)::integer as deletions,
         count(*) filter (where attempts >= ${FAILING_AFTER})::integer as "failingDeletions"
       from file_deletions
     ) as deletions`,
  );
  if (row === undefined) throw new Error('the database returned no counts');
  return row;
}

import { asynchronousCommit } from '../../../database/asynchronous-commit.ts';
import type { Sql } from '../../../database/database.ts';
import { activeStates, heartbeatRewriteAfter } from '../job-states.ts';
import { toPercent } from '../percent.ts';

/** The content of a worker's heartbeat. */
interface Heartbeat {
  readonly worker: string;
  /** Number of jobs that it can run concurrently. */
  readonly slots: number;
  /** The highest format of job descriptions that it reads. */
  readonly maxFormat: number;
  /** Progress of each of its runs in percent. */
  readonly progress: ReadonlyMap<string, number>;
}

/** Writes the heartbeat of a worker and its runs. Returns the runs that still belong to it. */
export async function writeHeartbeat(
  sql: Sql,
  { worker, slots, maxFormat, progress }: Heartbeat,
): Promise<ReadonlySet<string>> {
  await sql.query(
    `insert into workers (id, slots, reads, beat_at)
     select $1::uuid, $2::integer, $3::integer, now() from ${asynchronousCommit}
     on conflict (id) do update set beat_at = now(), slots = excluded.slots, reads = excluded.reads`,
    [worker, slots, maxFormat],
  );
  const runs = [...progress.keys()];
  if (runs.length === 0) return new Set();
  const own = await sql.query<{ run: string }>(
    `with beat as (
       select * from unnest($1::uuid[], $2::integer[]) as b (run, progress)
     ), written as (
       update render_progress p set progress = greatest(p.progress, b.progress), beat_at = now()
       from beat b where p.run = b.run
         and (b.progress > p.progress or p.beat_at not between now() - ${heartbeatRewriteAfter} and now())
     )
     select run from render_jobs j join render_progress using (run) join beat using (run)
     where j.expires_at > now()`,
    // One statement for all runs, so the progress of one must never make the database refuse those of the others.
    [runs, [...progress.values()].map(toPercent)],
  );
  return new Set(own.map(({ run }) => run));
}

/** Moves a run to its next stage. Returns `false` if the run is no longer valid. */
export async function enterStage(
  sql: Sql,
  run: string,
  state: 'processing' | 'uploading_output',
  progress: number,
): Promise<boolean> {
  // One statement for both, so that listeners never see a stage with the progress of the previous one.
  const rows = await sql.query(
    `with entered as (
       update render_jobs set state = $2 where run = $1 and state in ${activeStates} returning run
     ), moved as (
       update render_progress set progress = greatest(progress, $3::integer) where run in (select run from entered)
     )
     select run from entered`,
    [run, state, toPercent(progress)],
  );
  return rows.length > 0;
}

/** Records that the result of a run only waits for the store, so that the death of its node does not count. */
export async function releaseSlot(sql: Sql, run: string): Promise<void> {
  await sql.query(
    `update render_jobs set waiting_run = run, lone_run = null where run = $1 and state in ${activeStates}`,
    [run],
  );
}

/** Stops counting a worker that stops. */
export async function removeWorker(sql: Sql, worker: string): Promise<void> {
  await sql.query('delete from workers where id = $1', [worker]);
}

import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import type { Queue } from './queue.ts';
import { finalChannel } from './states.ts';
import { loseFiles } from './stored-files/lose-files.ts';

/** With `lostAfter`, no more than the 30 s after which a silent worker must be found. */
const SWEEP_INTERVAL_MS = 5_000;
const RECONCILE_INTERVAL_MS = 3_600_000;
const DELETIONS_PER_SWEEP = 500;

/** Removes what is over: expired jobs and their files, expired descriptions, and the jobs of lost workers. */
export interface Sweeper {
  close(): Promise<void>;
}

/** Starts sweeping: jobs and files each in their own time, so that a store that is slow keeps no job waiting. */
export function startSweeper(database: Database, storage: Storage, queue: Queue, log: Logger): Sweeper {
  /** Where the database was out of reach, workers get until the next sweep to say that they live. */
  let reached = false;
  const jobs = repeat(async () => {
    const silentOnesAreLost = reached;
    reached = false;
    await deleteExpired(database);
    if (silentOnesAreLost) await queue.recover(false);
    reached = true;
  }, log);
  let reconciled = Date.now();
  const files = repeat(async () => {
    await deleteFiles(database, storage, log);
    if (Date.now() - reconciled < RECONCILE_INTERVAL_MS) return;
    reconciled = Date.now();
    await reconcile(database, storage, log);
  }, log);
  return {
    async close() {
      await Promise.all([jobs.stop(), files.stop()]);
    },
  };
}

/** Does something now, and again some time after it is done. */
function repeat(sweep: () => Promise<void>, log: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    running = sweep()
      .catch((error: unknown) => log.error({ err: error }, 'a sweep failed; the next one goes on'))
      .then(() => {
        if (!stopped) timer = setTimeout(run, SWEEP_INTERVAL_MS);
      });
  };
  run();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Deletes expired jobs. A worker that still runs one finds its run gone at its next sign of life. */
async function deleteExpired(database: Database): Promise<void> {
  await database.query(
    `with gone as (
       delete from render_jobs where expires_at <= now() returning id, run, file_key
     ), progress as (
       delete from render_progress where run in (select run from gone)
     ), files as (
       insert into file_deletions (file_key)
       select coalesce(file_key, run::text) from gone where coalesce(file_key, run::text) is not null
       on conflict do nothing
     )
     select pg_notify($1, id) from gone`,
    [finalChannel],
  );
  await database.query('delete from render_cache where expires_at <= now()');
}

async function deleteFiles(database: Database, storage: Storage, log: Logger): Promise<void> {
  const files = await database.query<{ file_key: string }>('select file_key from file_deletions limit $1', [
    DELETIONS_PER_SWEEP,
  ]);
  for (const { file_key: key } of files) {
    try {
      await storage.delete(key);
      await database.query('delete from file_deletions where file_key = $1', [key]);
    } catch (error) {
      log.error({ err: error, key }, 'a file could not be deleted; it is tried again');
    }
  }
}

/**
 * Brings jobs and files into agreement: a file without a job is deleted, a job whose file is gone (the database was
 * restored from its snapshot, or someone cleared the folder) fails and can be started again. Other nodes may be at work meanwhile: a job
 * counts as done only if it was so before the files were listed, and a file as ownerless only if no job names it after.
 */
export async function reconcile(database: Database, storage: Storage, log: Logger): Promise<void> {
  const done = await database.query<{ file_key: string }>(
    `select file_key from render_jobs where state = 'done' and expires_at > now() and file_key is not null`,
  );
  const missing = new Set(done.map(({ file_key: key }) => key));
  let orphans = 0;
  for await (const keys of storage.keys()) {
    for (const key of keys) missing.delete(key);
    const found = await database.query(
      `insert into file_deletions (file_key)
       select file_key from unnest($1::text[]) as stored (file_key)
       where file_key not in (
         select file_key from render_jobs where file_key = any($1)
         union all select run::text from render_jobs where run is not null and run::text = any($1)
       )
       on conflict do nothing returning file_key`,
      [keys],
    );
    orphans += found.length;
  }
  const lost = [...missing];
  await loseFiles(database, lost);
  if (orphans + lost.length > 0) {
    const counts = { orphans, lost: lost.length };
    log.warn(counts, 'files without a job and jobs without a file were found and are removed');
  }
  await storage.sweep();
}

import { MillraceError } from '../../../contract/errors.ts';
import { type Database, notify } from '../../../database/database.ts';
import { failureColumns, failureValues } from '../failure-columns.ts';
import { activeStates, finalChannel, hasOtherWorker, queueChannel } from '../job-states.ts';

/** Other use of a worker's disk beside a job: results that waited for the store, or other jobs too. */
export type DiskUse = 'nothing' | 'results' | 'jobs';

/** Number of times a job may run out of disk on its own before it counts as too large for any worker. */
export const MAX_FULL_DISKS = 3;

/**
 * Time for which a job that ran out of disk is left to other workers. It grows with each counted occurrence. Other
 * workers may have slots and still claim no job, because they are paused or full of long ones.
 */
const diskBackoff = `interval '30 seconds' * power(4, full_disks)`;

/**
 * Milliseconds for which a worker does not claim a job again after it ran out of disk beside results that wait for the
 * store, even if there is no other worker. The results may wait for hours, and other jobs need less space.
 * `full_disk_at` is then this far in the future.
 */
export const sharedDiskBackoffMs = 300_000;
const sharedDiskBackoff = `interval '${sharedDiskBackoffMs} milliseconds'`;

/**
 * A condition on a waiting job, as SQL: it did not last run out of disk on worker `$1`, or did so long ago, or no other
 * worker with slots reads its format.
 */
export const isDiskBackoffOver = `(full_disk_worker is distinct from $1 or full_disk_at <= now() - ${diskBackoff}
  or full_disk_at <= now() and not ${hasOtherWorker('$1')})`;

/**
 * Puts a run's job back in the queue because its worker's disk is full. A job that had the disk to itself fails the
 * third time instead. May be repeated if a call ended without a response.
 */
export async function requeueAfterFullDisk(database: Database, run: string, otherDiskUse: DiskUse): Promise<void> {
  await database.transaction(async (sql) => {
    const jobs = await sql.query<{ id: string; state: string }>(
      `update render_jobs j set
         state = case when full_disks + $2::integer < $3 then 'queued' else 'failed' end,
         (${failureColumns}) = (select $4::text, $5::text, $6::boolean, $7::integer where j.full_disks + $2::integer >= $3),
         full_disks = full_disks + $2::integer, full_disk_worker = j.worker,
         full_disk_at = now() + case when $8 then ${sharedDiskBackoff} else interval '0' end,
         progress = coalesce((select p.progress from render_progress p where p.run = $1), progress),
         worker = null, run = null, left_worker = null, left_run = null
       where run = $1 and state in ${activeStates}
       returning id, state`,
      [
        run,
        otherDiskUse === 'nothing' ? 1 : 0,
        MAX_FULL_DISKS,
        ...failureValues(diskExhaustedError()),
        otherDiskUse === 'results',
      ],
    );
    await sql.query('delete from render_progress where run = $1', [run]);
    for (const { id, state } of jobs) await notify(sql, state === 'failed' ? finalChannel : queueChannel, id);
  });
}

/** Returns the failure of a job that needs more disk space than a worker has. */
export function diskExhaustedError(): MillraceError {
  const message = `The job ran out of disk ${MAX_FULL_DISKS} times, so it needs more disk space than a worker has. Start it again later, or choose a smaller format.`;
  return new MillraceError('storage_failed', message);
}

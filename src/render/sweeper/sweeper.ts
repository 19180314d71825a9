import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { reconcile } from '../store-check/reconcile.ts';
import { deleteExpiredDescriptions, deleteExpiredJobs } from './expired.ts';
import { deleteFiles } from './file-deletions.ts';
import { recoverLostWorkers } from './lost-workers.ts';
import type { SweeperMetrics } from './metrics-port.ts';
import { scheduleDuty } from './schedule-duty.ts';

/** With `lostAfter`, no more than the 30 s after which a silent worker must be found. */
const SWEEP_INTERVAL_MS = 5_000;
const RECONCILE_INTERVAL_MS = 3_600_000;

/** Deletes expired jobs, their files and expired descriptions, recovers the jobs of lost workers, and reconciles. */
export interface Sweeper {
  close(): Promise<void>;
}

/** What the sweeper works with. */
export interface SweeperParts {
  readonly database: Database;
  readonly storage: Storage;
  readonly queue: Queue;
  readonly metrics: SweeperMetrics;
  readonly log: Logger;
}

/** Starts sweeping. Each duty has its own schedule, so none waits for another or for a slow store. */
export function startSweeper({ database, storage, queue, metrics, log }: SweeperParts): Sweeper {
  const report = { metrics, log };
  const duties = [
    scheduleDuty('lost_workers', SWEEP_INTERVAL_MS, recoverLostWorkers(database, queue), report),
    scheduleDuty('expired_jobs', SWEEP_INTERVAL_MS, (signal) => deleteExpiredJobs(database, signal), report),
    scheduleDuty(
      'expired_descriptions',
      SWEEP_INTERVAL_MS,
      (signal) => deleteExpiredDescriptions(database, signal),
      report,
    ),
    scheduleDuty(
      'file_deletions',
      SWEEP_INTERVAL_MS,
      (signal) => deleteFiles({ sql: database, storage, log }, signal),
      report,
    ),
    scheduleDuty(
      'reconciliation',
      RECONCILE_INTERVAL_MS,
      async (signal) => {
        // A silent store keeps no node from stopping.
        const { withheld } = await untilAborted(reconcile({ sql: database, storage, log, signal }), signal);
        metrics.withheld(withheld);
      },
      report,
    ),
  ];
  return {
    async close() {
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}

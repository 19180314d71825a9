import type { Logger } from 'pino';
import type { AuditLog } from '../../audit/audit-log.ts';
import { createHeadWatch } from '../../audit/watch-head.ts';
import type { Database } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { reconcile } from '../store-check/reconcile.ts';
import {
  deleteExpiredAuditEntries,
  deleteExpiredDescriptions,
  deleteExpiredJobs,
  deleteOldLinkReplacements,
  deleteOldVisitorCredits,
  deleteOldVisitorStarts,
} from './delete-expired.ts';
import { deleteFiles } from './file-deletions.ts';
import { createLostWorkerRecovery } from './lost-worker-recovery.ts';
import type { SweeperMetrics } from './metrics-port.ts';
import { scheduleSweep } from './schedule-sweep.ts';

/**
 * Interval between two sweeps. Together with `lostAfter`, it is at most the 30 s within which a lost worker must be
 * found.
 */
const SWEEP_INTERVAL_MS = 5_000;
/** Interval of tasks that are never urgent. */
const HOURLY_MS = 3_600_000;

/**
 * Deletes expired jobs, their files, expired descriptions, old counts of replaced links and of visitors' jobs, and old
 * entries of the audit log, whose newest one it logs. It recovers the jobs of lost workers, and reconciles jobs with
 * stored files.
 */
export interface Sweeper {
  close(): Promise<void>;
}

/** Dependencies of the sweeper. */
interface SweeperServices {
  readonly database: Database;
  readonly storage: Storage;
  readonly queue: Queue;
  readonly auditLog: AuditLog;
  /** Days after which entries of the audit log are deleted. */
  readonly auditDays: number;
  readonly metrics: SweeperMetrics;
  readonly log: Logger;
}

/** Starts sweeping. Each task has its own schedule, so none waits for another or for a slow store. */
export function startSweeper({
  database,
  storage,
  queue,
  auditLog,
  auditDays,
  metrics,
  log,
}: SweeperServices): Sweeper {
  const reporting = { metrics, log };
  const sweeps = [
    scheduleSweep('lost_workers', SWEEP_INTERVAL_MS, createLostWorkerRecovery(database, queue), reporting),
    scheduleSweep('expired_jobs', SWEEP_INTERVAL_MS, (signal) => deleteExpiredJobs(database, signal), reporting),
    scheduleSweep(
      'expired_descriptions',
      SWEEP_INTERVAL_MS,
      (signal) => deleteExpiredDescriptions(database, signal),
      reporting,
    ),
    scheduleSweep('link_replacements', HOURLY_MS, (signal) => deleteOldLinkReplacements(database, signal), reporting),
    scheduleSweep('visitor_starts', HOURLY_MS, (signal) => deleteOldVisitorStarts(database, signal), reporting),
    scheduleSweep('visitor_credits', HOURLY_MS, (signal) => deleteOldVisitorCredits(database, signal), reporting),
    scheduleSweep(
      'audit_entries',
      HOURLY_MS,
      (signal) => deleteExpiredAuditEntries(database, auditLog, auditDays, signal),
      reporting,
    ),
    scheduleSweep('audit_head', SWEEP_INTERVAL_MS, createHeadWatch(database, auditDays, log), reporting),
    scheduleSweep(
      'file_deletions',
      SWEEP_INTERVAL_MS,
      (signal) => deleteFiles({ sql: database, storage, log }, signal),
      reporting,
    ),
    scheduleSweep(
      'reconciliation',
      HOURLY_MS,
      async (signal) => {
        // A store that does not respond must not keep a node from stopping.
        const { withheld } = await untilAborted(reconcile({ sql: database, storage, log, signal }), signal);
        metrics.reconciliationWithheld(withheld);
      },
      reporting,
    ),
  ];
  return {
    async close() {
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
    },
  };
}

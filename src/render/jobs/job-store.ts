import type { Database } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { type Jobs, openJobs, type StartConditions, startConditionsOf } from './jobs.ts';
import { openQueue, type Queue } from './queue/queue.ts';
import { type ResultFiles, resultFilesOf } from './result-files.ts';
import { type Statuses, statusesOf } from './status-row.ts';
import { openStoredDescriptions, type StoredDescriptions } from './stored-descriptions.ts';
import { openStoredOrders, type StoredOrders } from './stored-orders.ts';

/**
 * The render jobs of a service, with an interface for each of its roles: in a database, or in the memory of one command
 * (`in-memory/`).
 */
export interface JobStore {
  readonly jobs: Jobs;
  readonly queue: Queue;
  readonly storedDescriptions: StoredDescriptions;
  readonly storedOrders: StoredOrders;
  readonly statuses: Statuses;
  readonly startConditions: StartConditions;
  readonly files: ResultFiles;
}

/** Opens the jobs of a database, of which up to `maxQueued` may wait. */
export function openJobStore(database: Database, sealer: Sealer, maxQueued: number): JobStore {
  return {
    jobs: openJobs(database, sealer, maxQueued),
    queue: openQueue(database, sealer),
    storedDescriptions: openStoredDescriptions(database, sealer),
    storedOrders: openStoredOrders(database, sealer),
    statuses: statusesOf(database),
    startConditions: startConditionsOf(database),
    files: resultFilesOf(database),
  };
}

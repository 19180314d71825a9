import { mapWorlds, type Worlds } from '../../contract/worlds.ts';
import type { Database } from '../../database/database.ts';
import type { Sealers } from '../../sealing/sealers.ts';
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
  readonly storedOrders: Worlds<StoredOrders>;
  readonly statuses: Statuses;
  readonly startConditions: StartConditions;
  readonly files: ResultFiles;
}

/**
 * Opens the jobs of a database, of which up to `maxQueued` may wait.
 *
 * @param runsTestJobs Whether this process has the lab, so that it may claim the jobs of test keys.
 */
export function openJobStore(database: Database, sealers: Sealers, maxQueued: number, runsTestJobs = false): JobStore {
  const sealer = sealers.live;
  return {
    jobs: openJobs(database, sealer, maxQueued),
    queue: openQueue(database, sealer, { runsTestJobs }),
    storedDescriptions: openStoredDescriptions(database, sealer),
    storedOrders: mapWorlds(sealers, (each) => openStoredOrders(database, each)),
    statuses: statusesOf(database),
    startConditions: startConditionsOf(database),
    files: resultFilesOf(database),
  };
}

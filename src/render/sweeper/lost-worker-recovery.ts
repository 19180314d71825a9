import type { Sql } from '../../database/database.ts';
import type { Queue } from '../jobs/queue/queue.ts';

/**
 * Creates the task that puts the jobs of lost workers back in the queue. After an outage of the database, workers have
 * until the next sweep to send a heartbeat.
 */
export function createLostWorkerRecovery(sql: Sql, queue: Pick<Queue, 'recoverLostRuns'>): () => Promise<void> {
  let isReachable = false;
  return async () => {
    const wasReachable = isReachable;
    isReachable = false;
    if (wasReachable) await queue.recoverLostRuns(false);
    else await sql.query('select 1');
    isReachable = true;
  };
}

import type { Sql } from '../../database/database.ts';
import type { Queue } from '../jobs/queue/queue.ts';

/**
 * Makes the duty that puts the jobs of silent workers back in the queue. After an outage of the database, workers have
 * until the next sweep for a heartbeat.
 */
export function recoverLostWorkers(sql: Sql, queue: Pick<Queue, 'recoverLostRuns'>): () => Promise<void> {
  let reached = false;
  return async () => {
    const silentOnesAreLost = reached;
    reached = false;
    if (silentOnesAreLost) await queue.recoverLostRuns(false);
    else await sql.query('select 1');
    reached = true;
  };
}

import type { Sql } from '../database/database.ts';
import { countJobs, countWaiting, storedBytes } from '../render/census.ts';
import type { Metrics } from './metrics.ts';

/** Adds what the database tells of jobs and their files; it is asked whenever metrics are read. */
export function addRenderMetrics(metrics: Metrics, sql: Sql): void {
  metrics.gauges('render_jobs', 'Render jobs that have not expired, by state.', 'state', () => countJobs(sql));
  metrics.gauge('render_queue_depth', 'Render jobs that wait for a worker.', () => countWaiting(sql));
  metrics.gauge('stored_bytes', 'Bytes of finished files.', () => storedBytes(sql));
}

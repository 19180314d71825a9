import type { Sql } from '../database/database.ts';
import { countFiles, countJobs, countQueue } from '../render/jobs/job-counts.ts';
import type { Metrics } from './metrics.ts';

const FILES_INTERVAL_MS = 60_000;

/** Every node reports the same numbers, so dashboards take the maximum and not the sum. */
const sharedHelp = 'From the database that all nodes share: take max(), not sum().';

/** Adds metrics that the database knows for all nodes: of jobs, their files and the workers. */
export function addRenderMetrics(metrics: Metrics, sql: Sql, maxQueued: number): void {
  const jobs = `Render jobs that are not over, by state. ${sharedHelp}`;
  metrics.labelledGauge('render_jobs', jobs, 'state', () => countJobs(sql));
  metrics.gauge('render_queue_limit', 'Render jobs that may wait (MAX_QUEUED_JOBS).', () => maxQueued);
  metrics.gaugeGroup(
    {
      render_queue_depth: `Render jobs that wait for a worker. ${sharedHelp}`,
      render_oldest_waiting_seconds: `How long ago the oldest render job that waits was started. ${sharedHelp}`,
      workers: `Workers that gave a sign of life within 30 s. ${sharedHelp}`,
      worker_slots: `Render jobs that they can run at once. ${sharedHelp}`,
      workers_lost: `Workers that fell silent within the last five minutes without taking leave. ${sharedHelp}`,
      file_deletions: `Files that are still to be deleted. ${sharedHelp}`,
      file_deletions_failing: `Those of them that could not be deleted for some minutes. ${sharedHelp}`,
    },
    async () => {
      const { waiting, oldestWaiting, workers, slots, lostWorkers, deletions, failingDeletions } =
        await countQueue(sql);
      return {
        render_queue_depth: waiting,
        render_oldest_waiting_seconds: oldestWaiting,
        workers,
        worker_slots: slots,
        workers_lost: lostWorkers,
        file_deletions: deletions,
        file_deletions_failing: failingDeletions,
      };
    },
  );
  metrics.gaugeGroup(
    {
      stored_files: `Finished files, a minute ago at most. ${sharedHelp}`,
      stored_bytes: `Their bytes. ${sharedHelp}`,
    },
    cachedFor(FILES_INTERVAL_MS, async () => {
      const { files, bytes } = await countFiles(sql);
      return { stored_files: files, stored_bytes: bytes };
    }),
  );
}

/** Caches a result for `interval` milliseconds, so that a slow query does not run whenever a node is scraped. */
function cachedFor<T>(interval: number, read: () => Promise<T>): () => Promise<T> {
  let cachedResult: { readonly until: number; readonly result: T } | undefined;
  return async () => {
    if (cachedResult !== undefined && performance.now() < cachedResult.until) return cachedResult.result;
    const result = await read();
    cachedResult = { until: performance.now() + interval, result };
    return result;
  };
}

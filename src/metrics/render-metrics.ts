import type { Sql } from '../database/database.ts';
import { countLostNodes, countNodes } from '../nodes/nodes.ts';
import { countFiles, countJobs, countQueue } from '../render/jobs/job-counts.ts';
import type { Metrics } from './metrics.ts';

const FILES_INTERVAL_MS = 60_000;

/** Every node reports the same numbers, so dashboards take the maximum, not the sum. */
const sharedHelp = 'Read from the database shared by all nodes: take max(), not sum().';

/** Adds metrics of jobs, their files, the nodes and the workers, which the database has for all nodes. */
export function addRenderMetrics(metrics: Metrics, sql: Sql, maxQueued: number): void {
  const jobs = `Unfinished render jobs, by state. ${sharedHelp}`;
  metrics.labelledGauge('render_jobs', jobs, 'state', () => countJobs(sql));
  metrics.gauge('render_queue_limit', 'Maximum number of queued render jobs (MAX_QUEUED_JOBS).', () => maxQueued);
  metrics.labelledGauge('nodes', `Nodes with a heartbeat in the last 30 s, by role. ${sharedHelp}`, 'role', () =>
    countNodes(sql),
  );
  const lostNodes = `Nodes whose heartbeats stopped in the last 15 minutes without a clean shutdown. ${sharedHelp}`;
  metrics.gauge('nodes_lost', lostNodes, () => countLostNodes(sql));
  metrics.gaugeGroup(
    {
      render_queue_depth: `Render jobs waiting for a worker. ${sharedHelp}`,
      render_oldest_waiting_seconds: `Seconds since the oldest queued render job was started. ${sharedHelp}`,
      workers: `Workers with a heartbeat in the last 30 s. ${sharedHelp}`,
      worker_slots: `Render jobs that workers with a heartbeat in the last 30 s can run concurrently. ${sharedHelp}`,
      workers_lost: `Workers whose heartbeats stopped in the last five minutes without a clean shutdown. ${sharedHelp}`,
      file_deletions: `Files waiting to be deleted. ${sharedHelp}`,
      file_deletions_failing: `Files waiting to be deleted whose deletion has failed for some minutes. ${sharedHelp}`,
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
      stored_files: `Finished files, up to a minute old. ${sharedHelp}`,
      stored_bytes: `Bytes of finished files, up to a minute old. ${sharedHelp}`,
    },
    cachedFor(FILES_INTERVAL_MS, async () => {
      const { files, bytes } = await countFiles(sql);
      return { stored_files: files, stored_bytes: bytes };
    }),
  );
}

/** Caches a result for `interval` milliseconds, so that a slow query does not run at every scrape. */
function cachedFor<T>(interval: number, read: () => Promise<T>): () => Promise<T> {
  let cachedResult: { readonly until: number; readonly result: T } | undefined;
  return async () => {
    if (cachedResult !== undefined && performance.now() < cachedResult.until) return cachedResult.result;
    const result = await read();
    cachedResult = { until: performance.now() + interval, result };
    return result;
  };
}

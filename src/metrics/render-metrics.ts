import type { Sql } from '../database/database.ts';
import { countFiles, countJobs, countQueue } from '../render/jobs/job-counts.ts';
import type { Metrics } from './metrics.ts';

const FILES_INTERVAL_MS = 60_000;

/** Every node reads the same: of several, one is taken (`max`), and never their sum. */
const ofAll = 'From the database that all nodes share: take max(), not sum().';

/** Adds what the database tells of jobs, their files and the workers; it is asked whenever metrics are read. */
export function addRenderMetrics(metrics: Metrics, sql: Sql, maxQueued: number): void {
  const jobs = `Render jobs that are not over, by state. ${ofAll}`;
  metrics.gauges('render_jobs', jobs, 'state', () => countJobs(sql));
  metrics.gauge('render_queue_limit', 'Render jobs that may wait (MAX_QUEUED_JOBS).', () => maxQueued);
  metrics.figures(
    {
      render_queue_depth: `Render jobs that wait for a worker. ${ofAll}`,
      render_oldest_waiting_seconds: `How long ago the oldest render job that waits was started. ${ofAll}`,
      workers: `Workers that gave a sign of life within 30 s. ${ofAll}`,
      worker_slots: `Render jobs that they can run at once. ${ofAll}`,
      workers_lost: `Workers that fell silent within the last five minutes without taking leave. ${ofAll}`,
      file_deletions: `Files that are still to be deleted. ${ofAll}`,
      file_deletions_failing: `Those of them that could not be deleted for some minutes. ${ofAll}`,
    },
    async () => {
      const { waiting, oldestWaiting, workers, slots, lost, deletions, failingDeletions } = await countQueue(sql);
      return {
        render_queue_depth: waiting,
        render_oldest_waiting_seconds: oldestWaiting,
        workers,
        worker_slots: slots,
        workers_lost: lost,
        file_deletions: deletions,
        file_deletions_failing: failingDeletions,
      };
    },
  );
  metrics.figures(
    {
      stored_files: `Finished files, a minute ago at most. ${ofAll}`,
      stored_bytes: `Their bytes. ${ofAll}`,
    },
    notMoreOftenThan(FILES_INTERVAL_MS, async () => {
      const { files, bytes } = await countFiles(sql);
      return { stored_files: files, stored_bytes: bytes };
    }),
  );
}

/** The same answer for a while: what takes long is not asked for by every reading of every node. */
function notMoreOftenThan<T>(interval: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly until: number; readonly answer: T } | undefined;
  return async () => {
    if (kept !== undefined && performance.now() < kept.until) return kept.answer;
    const answer = await read();
    kept = { until: performance.now() + interval, answer };
    return answer;
  };
}

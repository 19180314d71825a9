import { Counter, Gauge, Histogram } from 'prom-client';
import type { Stage, WorkerMetrics } from '../render/worker/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Seconds; an operation may take an hour. */
const STAGE_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600];

/** Seconds. The limit of the objective for render times is one of them (docs/explanation/service-levels.md). */
const JOB_BUCKETS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Creates the metrics of the runs of render jobs on this worker. */
export function createRunMetrics(optionsOf: MetricOptionsOf): WorkerMetrics {
  const running = new Gauge(optionsOf('render_running', 'Render jobs that this process is running.'));
  const runs = new Counter(
    optionsOf(
      'render_runs_total',
      'Finished runs of render jobs on this worker, by error code, ok, lost, handed_back, over_time (WEB_JOB_TIME), or over_quota (storedSize, WEB_STORAGE).',
      'code',
    ),
  );
  const stageSeconds = new Histogram({
    ...optionsOf('render_stage_seconds', 'Duration of each stage of a render job, successful or not.', 'stage'),
    buckets: STAGE_BUCKETS,
  });
  const jobSeconds = new Histogram({
    ...optionsOf('render_job_seconds', 'Time from the start of a render job by its caller until it was done.'),
    buckets: JOB_BUCKETS,
  });
  const retries = new Counter(
    optionsOf('render_upload_retries_total', 'Retried uploads of finished files, by result.', 'result'),
  );
  const deliveries = new Counter(
    optionsOf('render_deliveries_total', "Deliveries to callers' stores, by error code or ok.", 'code'),
  );
  const links = new Counter(
    optionsOf('render_links_replaced_total', 'Replaced links of inputs, by how the former link ended.', 'outcome'),
  );
  return {
    linkReplaced: (outcome) => links.inc({ outcome }),
    deliveryEnded: (code) => deliveries.inc({ code }),
    uploadRetried: (result) => retries.inc({ result }),
    startRun(waitedMs) {
      running.inc();
      const startedAt = performance.now();
      let stage: Stage = 'downloading_inputs';
      let stageStartedAt = startedAt;
      const endStage = () => stageSeconds.observe({ stage }, (performance.now() - stageStartedAt) / 1_000);
      return {
        enterStage(next) {
          endStage();
          stage = next;
          stageStartedAt = performance.now();
        },
        end(how) {
          endStage();
          running.dec();
          runs.inc({ code: how });
          if (how === 'ok') jobSeconds.observe((waitedMs + performance.now() - startedAt) / 1_000);
        },
      };
    },
  };
}

import { Counter, Gauge, Histogram } from 'prom-client';
import type { ErrorCode } from '../contract/errors.ts';
import type { ProgressBrackets } from '../contract/job.ts';
import type { Describe } from './describe.ts';

/** Seconds; an operation may take an hour. */
const STAGE_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600];

/** A stage of a render job. */
export type Stage = keyof ProgressBrackets;

/** How a run of a job came to its end; `lost`: the job is no longer this worker's; `handed_back`: it goes back to the queue. */
export type RunEnd = ErrorCode | 'ok' | 'lost' | 'handed_back';

/** What is told of one run. */
export interface RunRecord {
  /** The stage before is over and this one begins. */
  stage(next: Stage): void;
  /** The run is over. */
  end(how: RunEnd): void;
}

/** Counts the runs of render jobs of this worker. */
export function createRunMetrics(of: Describe) {
  const running = new Gauge(of('render_running', 'Render jobs that this process works on.'));
  const runs = new Counter(
    of('render_runs_total', 'Runs of render jobs that ended here, by error code, ok, lost or handed_back.', 'code'),
  );
  const stageSeconds = new Histogram({
    ...of('render_stage_seconds', 'Time that a stage of a render job took, whether it succeeded or not.', 'stage'),
    buckets: STAGE_BUCKETS,
  });
  const retries = new Counter(
    of('render_upload_retries_total', 'Retried uploads of results that could not be stored, by result.', 'result'),
  );
  return {
    /** The upload of a result was retried. */
    uploadRetried(result: 'stored' | 'failed'): void {
      retries.inc({ result });
    },
    /** A run of a job begins. */
    run(): RunRecord {
      running.inc();
      let stage: Stage = 'downloading_inputs';
      let begun = performance.now();
      const endStage = () => stageSeconds.observe({ stage }, (performance.now() - begun) / 1_000);
      return {
        stage(next) {
          endStage();
          stage = next;
          begun = performance.now();
        },
        end(how) {
          endStage();
          running.dec();
          runs.inc({ code: how });
        },
      };
    },
  };
}

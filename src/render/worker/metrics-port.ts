import type { ErrorCode } from '../../contract/errors.ts';
import type { ProgressBrackets } from '../../contract/job.ts';

/** A stage of a render job. */
export type Stage = keyof ProgressBrackets;

/** How a run of a job ended; `lost`: the job is no longer this worker's; `handed_back`: it returned to the queue. */
type RunEnd = ErrorCode | 'ok' | 'lost' | 'handed_back';

/** The metrics of one run, which begins with the stage `downloading_inputs`. */
export interface RunMetrics {
  /** Records that the previous stage is over and this one begins. */
  enterStage(next: Stage): void;
  /** Records that the run is over. */
  end(how: RunEnd): void;
}

/** The metrics of a worker. */
export interface WorkerMetrics {
  /** Records that a run of a job begins. */
  startRun(): RunMetrics;
  /** Counts a retried upload of a result. */
  uploadRetried(result: 'stored' | 'failed'): void;
}

import type { ErrorCode } from '../../contract/errors.ts';
import type { MediaOutcome } from '../../contract/media-fetch.ts';
import type { ProgressBrackets } from '../../contract/progress-brackets.ts';

/** A stage of a render job. */
export type Stage = keyof ProgressBrackets;

/**
 * The outcome of a run; `lost`: the job no longer belongs to this worker; `handed_back`: it returned to the queue;
 * `over_time`: it was stopped at the limit for visitors. `over_quota`: its owner may not store its file.
 */
export type RunEnd = ErrorCode | 'ok' | 'lost' | 'handed_back' | 'over_time' | 'over_quota';

/** Metrics of one run, which starts with the stage `downloading_inputs`. */
export interface RunMetrics {
  /** Records that the previous stage has ended and this one starts. */
  enterStage(next: Stage): void;
  /** Records that the run has ended. */
  end(how: RunEnd): void;
}

/** Metrics of a worker. */
export interface WorkerMetrics {
  /** Records the start of a run of a job that its caller started `waitedMs` milliseconds ago. */
  startRun(waitedMs: number): RunMetrics;
  /** Counts a retried upload of a result. */
  uploadRetried(result: 'stored' | 'failed'): void;
  /** Counts a delivery to a caller's store, by its outcome. */
  deliveryEnded(how: ErrorCode | 'ok'): void;
  /** Counts a replaced link of an input, by the outcome of the fetch through the former link. */
  linkReplaced(outcome: MediaOutcome): void;
}

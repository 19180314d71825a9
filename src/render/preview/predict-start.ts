import type { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { StartConditions } from '../jobs/jobs.ts';
import { atCapacityError, decideStart, initialState, tooManyJobsError } from '../jobs/start-rules.ts';

/** What a start of a job would do now. */
interface StartPrediction {
  readonly status: 'queued' | 'already_exists';
  readonly message: string;
  /** Other unfinished jobs of the owner. */
  readonly unfinishedJobs: number;
  /** Why it would be refused, or fail at once. */
  readonly refusals: readonly MillraceError[];
}

/**
 * Predicts what a start of a job would do. Changes nothing.
 *
 * @throws MillraceError `forbidden` when the id belongs to another owner.
 */
export async function predictStart(
  startConditions: StartConditions,
  job: Job,
  owner: string,
  { maxUnfinished, maxQueued }: { readonly maxUnfinished: number | undefined; readonly maxQueued: number },
): Promise<StartPrediction> {
  const existing = await startConditions.existing(job.id);
  const load = await startConditions.load(job.id, owner);
  const { unfinishedJobs } = load;
  const decision = existing === undefined ? undefined : decideStart(existing, job, owner);
  if (decision?.begins === false) {
    const message = 'A start would attach to the job with this id, and do nothing else.';
    return { status: 'already_exists', message, unfinishedJobs, refusals: [] };
  }
  const refusals = [
    ...(maxUnfinished !== undefined && unfinishedJobs >= maxUnfinished ? [tooManyJobsError(maxUnfinished)] : []),
    ...(initialState(load, maxQueued) === 'failed' ? [atCapacityError()] : []),
  ];
  const restarts = existing?.expired === false;
  const message = restarts ? 'A start would restart the job.' : 'A start would begin the job.';
  return { status: 'queued', message, unfinishedJobs, refusals };
}

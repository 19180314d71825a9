import type { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { StartConditions, StartOptions } from '../jobs/jobs.ts';
import { atCapacityError, decideStart, initialState, tooManyJobsError } from '../jobs/start-rules.ts';
import { isStored } from '../jobs/stored-size.ts';
import { tenantOf } from '../jobs/tenants.ts';

/** The predicted effect of starting a job now. */
interface StartPrediction {
  readonly status: 'queued' | 'already_exists';
  readonly message: string;
  /** Number of other unfinished jobs of the owner. */
  readonly unfinishedJobs: number;
  /** Errors with which it would be rejected or fail immediately. */
  readonly refusals: readonly MillraceError[];
}

/**
 * Predicts the effect of starting a job. Changes nothing.
 *
 * @throws MillraceError `forbidden` if the ID belongs to another owner.
 */
export async function predictStart(
  startConditions: StartConditions,
  job: Job,
  owner: string,
  { maxUnfinished, stored, visitor }: Pick<StartOptions, 'maxUnfinished' | 'stored' | 'visitor'>,
  maxQueued: number,
): Promise<StartPrediction> {
  const existing = await startConditions.existing(job.id);
  const isVisitor = visitor !== undefined;
  const load = await startConditions.load(job.id, owner, isVisitor);
  const { unfinishedJobs } = load;
  const decision = existing === undefined ? undefined : decideStart(existing, job, owner);
  if (decision?.begins === false) {
    const message = 'A start would attach to the job with this ID and do nothing else.';
    return { status: 'already_exists', message, unfinishedJobs, refusals: [] };
  }
  const storedRefusal =
    stored !== undefined && isStored(job)
      ? await startConditions.storedSizeRefusal(tenantOf(owner, isVisitor), stored)
      : undefined;
  const refusals = [
    ...(maxUnfinished !== undefined && unfinishedJobs >= maxUnfinished ? [tooManyJobsError(maxUnfinished)] : []),
    ...(storedRefusal === undefined ? [] : [storedRefusal]),
    ...(initialState(load, maxQueued, isVisitor) === 'failed' ? [atCapacityError()] : []),
  ];
  const restarts = existing?.expired === false;
  const message = restarts ? 'A start would restart the job.' : 'A start would create the job.';
  return { status: 'queued', message, unfinishedJobs, refusals };
}

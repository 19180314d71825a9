import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-status.ts';

/** The job that already has the ID of a start call. */
export interface ExistingJob {
  readonly owner: string;
  readonly state: JobState;
  readonly expired: boolean;
  /** Whether a worker holds it but has sent no heartbeat for too long. */
  readonly stalled: boolean;
  /** Why it failed; null if it has not failed. */
  readonly failure: ErrorCode | null;
}

/**
 * What a start that begins a job counts as in the limits of a visitor. The first few of kind `restart` of a job count as no
 * start. `nothing`: the job could not begin before.
 */
export type CountedAs = 'start' | 'restart' | 'nothing';

/** The effect of a start call if a job has its ID: a new job replaces it, or the call attaches to it. */
type StartDecision =
  | { readonly begins: true; readonly message: string }
  | { readonly begins: false; readonly extends: boolean; readonly message: string };

/** The message of a start that creates a job. */
export const acceptedMessage = 'The job was accepted.';

/**
 * Decides the effect of a start call: it replaces an expired job, restarts a failed or stalled one, extends a done one,
 * and attaches to any other.
 *
 * @throws MillraceError `forbidden` if the ID belongs to another owner.
 */
export function decideStart(existing: ExistingJob, job: Job, owner: string): StartDecision {
  if (existing.expired) return { begins: true, message: acceptedMessage };
  if (existing.owner !== owner) throw notOwnerError(job.id);
  if (existing.state === 'failed' || existing.stalled) {
    return { begins: true, message: `The job had ${existing.stalled ? 'stalled' : 'failed'} and was restarted.` };
  }
  return { begins: false, extends: existing.state === 'done', message: attachedMessage(existing.state, job) };
}

/** Returns what a start counts as if it replaces a job. */
export function countedAs({ expired, failure }: Pick<ExistingJob, 'expired' | 'failure'>): CountedAs {
  if (expired || failure === 'cancelled') return 'start';
  return failure === 'at_capacity' ? 'nothing' : 'restart';
}

/**
 * Decides whether an expired execution URL still attaches to the job with its ID.
 *
 * @throws MillraceError `forbidden` if the ID belongs to another owner.
 */
export function canAttach<Existing extends ExistingJob>(
  existing: Existing | undefined,
  id: string,
  owner: string,
): existing is Existing {
  if (existing === undefined || existing.expired || existing.state === 'failed' || existing.stalled) return false;
  if (existing.owner !== owner) throw notOwnerError(id);
  return true;
}

/** The message of a call that attaches to a job, with the description if the call had one. */
export function attachedMessage(state: JobState, job?: Pick<Job, 'output' | 'webhook'>): string {
  const isStored = job?.output.delivery?.keep !== false;
  const doneMessage = isStored ? 'The job is done; its file is ready.' : 'The job is done; its file was delivered.';
  const message = state === 'done' ? doneMessage : 'The job exists and is in progress.';
  const webhookNote = job?.webhook === undefined ? '' : ' Its webhook was set when it started and is unchanged.';
  return message + webhookNote;
}

/** The part of the queue that the jobs of all visitors may fill together. */
const VISITORS_SHARE = 0.5;

/** The part of the queue that is kept for the first waiting job of each key. */
const RESERVED_SHARE = 0.1;

/** More starts than ever occur concurrently on all nodes together. */
const MANY_AT_ONCE = 100;

/** The load of the service, of a tenant and of an owner. */
export interface Load {
  /** Number of waiting jobs without a free slot; negative if there are more free slots than waiting jobs. */
  readonly backlog: number;
  /** Number of waiting jobs of the owner, or of all visitors together if a visitor starts the job. */
  readonly tenantWaiting: number;
  /** Number of other unfinished jobs of the owner. */
  readonly unfinishedJobs: number;
}

/** The counts from which {@link Load} is derived. */
export interface LoadCounts {
  /** Numbers of jobs that wait for a worker, and of those that a worker holds. */
  readonly waiting: number;
  readonly active: number;
  /** Number of jobs that the workers with a recent heartbeat can run concurrently. */
  readonly slots: number;
  readonly tenantWaiting: number;
  readonly unfinished: number;
}

/** Returns the load of a service with these jobs. */
export function loadOf({ waiting, active, slots, tenantWaiting, unfinished }: LoadCounts): Load {
  return { backlog: waiting - Math.max(0, slots - active), tenantWaiting, unfinishedJobs: unfinished };
}

/** How many jobs may wait if the maximum is `maxQueued`. */
function queueLimits(maxQueued: number): { readonly visitors: number; readonly furtherJobs: number } {
  return {
    visitors: Math.ceil(maxQueued * VISITORS_SHARE),
    furtherJobs: maxQueued - Math.floor(maxQueued * RESERVED_SHARE),
  };
}

/**
 * Returns the initial state of a new job. It fails immediately if the maximum number of jobs is waiting, or as many as
 * leave only the places that are kept for others.
 */
export function initialState(
  { backlog, tenantWaiting }: Load,
  maxQueued: number,
  isVisitor: boolean,
): 'pending' | 'queued' | 'failed' {
  if (backlog < 0) return 'pending';
  const { visitors, furtherJobs } = queueLimits(maxQueued);
  if (isVisitor && tenantWaiting >= visitors) return 'failed';
  return backlog < (isVisitor || tenantWaiting > 0 ? furtherJobs : maxQueued) ? 'queued' : 'failed';
}

/** Whether jobs that start at the same moment may change the initial state of a new job. */
export function isNearLimit({ backlog, tenantWaiting }: Load, maxQueued: number, isVisitor: boolean): boolean {
  const { visitors, furtherJobs } = queueLimits(maxQueued);
  const isNear = (count: number, limit: number) => Math.abs(count - limit) <= MANY_AT_ONCE;
  return (
    [0, furtherJobs, maxQueued].some((limit) => isNear(backlog, limit)) ||
    (isVisitor && isNear(tenantWaiting, visitors))
  );
}

/** Returns the failure of a job that is started while the queue is full. */
export function atCapacityError(): MillraceError {
  return new MillraceError('at_capacity', 'Service at capacity. Wait a few seconds and start the same job again.');
}

/** Returns the error of a start whose owner has too many unfinished jobs. */
export function tooManyJobsError(maxUnfinished: number): MillraceError {
  const message = `Your key has reached its limit of ${maxUnfinished} unfinished jobs. Start this job when another one is done.`;
  return new MillraceError('rate_limited', message);
}

/** Returns the error of a start with the ID of another owner's job. */
function notOwnerError(id: string): MillraceError {
  return new MillraceError('forbidden', `Job ${id} was started by someone else. Use another ID.`);
}

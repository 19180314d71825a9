import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-status.ts';

/** The job that already has the id of a start call. */
export interface ExistingJob {
  readonly owner: string;
  readonly state: JobState;
  readonly expired: boolean;
  /** A worker holds it and has sent no heartbeat for too long. */
  readonly stalled: boolean;
}

/** What a start call does if a job has its id: begin a new one in its place, or attach to it. */
type StartDecision =
  | { readonly begins: true; readonly message: string }
  | { readonly begins: false; readonly extends: boolean; readonly message: string };

/** The message of a start that begins a job. */
export const acceptedMessage = 'The job was accepted.';

/**
 * Decides what a start call does: it replaces an expired job, restarts a failed or stalled one, extends a done one, and
 * attaches to any other.
 *
 * @throws MillraceError `forbidden` when the id belongs to another owner.
 */
export function decideStart(existing: ExistingJob, { id, webhook }: Job, owner: string): StartDecision {
  if (existing.expired) return { begins: true, message: acceptedMessage };
  if (existing.owner !== owner) throw notOwnerError(id);
  if (existing.state === 'failed' || existing.stalled) {
    return { begins: true, message: `The job had ${existing.stalled ? 'stalled' : 'failed'} and starts again.` };
  }
  return { begins: false, extends: existing.state === 'done', message: attachedMessage(existing.state, webhook) };
}

/**
 * Decides whether an execution URL that has expired still attaches to the job with its id.
 *
 * @throws MillraceError `forbidden` when the id belongs to another owner.
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

/** The message of a call that attaches to a job. */
export function attachedMessage(state: JobState, webhook?: Job['webhook']): string {
  const message = state === 'done' ? 'The job is done; its file is ready.' : 'The job exists and is under way.';
  const webhookNote = webhook === undefined ? '' : ' Whom it tells of its end was settled when it began.';
  return message + webhookNote;
}

/** How busy the service is, and an owner. */
export interface Load {
  /** Jobs that wait and find no free slot; negative while there are slots that no waiting job is about to take. */
  readonly backlog: number;
  /** Other unfinished jobs of the owner. */
  readonly unfinishedJobs: number;
}

/** What {@link Load} follows from. */
export interface LoadCounts {
  /** Jobs that wait for a worker, and those that one holds. */
  readonly waiting: number;
  readonly active: number;
  /** Jobs that the workers with a recent heartbeat can run at once. */
  readonly slots: number;
  readonly unfinished: number;
}

/** The load of a service with these jobs. */
export function loadOf({ waiting, active, slots, unfinished }: LoadCounts): Load {
  return { backlog: waiting - Math.max(0, slots - active), unfinishedJobs: unfinished };
}

/** The state in which a new job begins: it fails at once when as many jobs wait as may. */
export function initialState({ backlog }: Load, maxQueued: number): 'pending' | 'queued' | 'failed' {
  if (backlog >= maxQueued) return 'failed';
  return backlog < 0 ? 'pending' : 'queued';
}

/** The failure of a job that is started while the queue is full. */
export function atCapacityError(): MillraceError {
  return new MillraceError('at_capacity', 'Service at capacity. Wait a few seconds and start the same job again.');
}

/** The error of a start whose owner has too many unfinished jobs. */
export function tooManyJobsError(maxUnfinished: number): MillraceError {
  const message = `Your key has ${maxUnfinished} unfinished jobs, as many as it may have. Start this one when one is done.`;
  return new MillraceError('rate_limited', message);
}

/** The error of a start with the id of another owner's job. */
function notOwnerError(id: string): MillraceError {
  return new MillraceError('forbidden', `Job ${id} was started by someone else. Use another id.`);
}

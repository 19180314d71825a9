import type { JobState } from '../../contract/job-status.ts';

/** What the jobs of a database and those in memory have in common; much of it as SQL. */

const active = ['downloading_inputs', 'processing', 'uploading_output'] as const satisfies readonly JobState[];
const waiting = ['pending', 'queued'] as const satisfies readonly JobState[];

/** Whether a worker holds a job in this state. */
export const isActive = (state: JobState) => active.some((each) => each === state);

/** Whether a job in this state waits for a worker. */
export const isWaiting = (state: JobState) => waiting.some((each) => each === state);

/** The states in which a worker holds the job. */
export const activeStates = sqlList(active);

/** The states in which the job waits for a worker. */
export const waitingStates = sqlList(waiting);

/** Milliseconds without a heartbeat of its worker after which a job counts as stalled. */
export const stalledAfterMs = 30_000;

/** {@link stalledAfterMs} as SQL. */
export const stalledAfter = `interval '${stalledAfterMs} milliseconds'`;

/**
 * Whether there is a worker other than the given one, both as SQL, that has slots and reads the format of the job. It may
 * be paused or full of long jobs all the same.
 */
export const hasOtherWorker = (worker: string) =>
  `exists (select from workers where id <> ${worker} and slots > 0 and reads >= format
    and beat_at > now() - ${stalledAfter})`;

/**
 * How old the last written heartbeat of a run becomes before it is written again, when its progress is the same:
 * what is written each second costs the database more than all else that jobs do.
 */
export const heartbeatRewriteAfter = `interval '3 seconds'`;

/** When the jobs of a silent worker are given to others: with the time until the next sweep, no later than 30 s. */
export const lostAfter = `interval '25 seconds'`;

/**
 * How long a worker continues without confirmation that its jobs are still its own, in milliseconds. As long as a job
 * takes to count as stalled, so a shorter outage of the database costs no job.
 */
export const heartbeatTimeoutMs = stalledAfterMs;

/** Channel that is notified when a job is waiting. */
export const queueChannel = 'render_queue';

/** Channel that is notified when a job was cancelled, with the run that it had, or had before it went back to the queue. */
export const cancelChannel = 'render_cancelled';

/** Channel that is notified when a job is over, with its id. */
export const finalChannel = 'render_final';

function sqlList(states: readonly JobState[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}

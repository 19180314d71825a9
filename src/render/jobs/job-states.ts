import type { JobState } from '../../contract/job-status.ts';

/** Definitions shared by the jobs in a database and in memory, many of them as SQL. */

const active = ['downloading_inputs', 'processing', 'uploading_output'] as const satisfies readonly JobState[];
const waiting = ['pending', 'queued'] as const satisfies readonly JobState[];

/** Whether a worker holds a job in this state. */
export const isActive = (state: JobState) => active.some((each) => each === state);

/** Whether a job in this state waits for a worker. */
export const isWaiting = (state: JobState) => waiting.some((each) => each === state);

/** The states in which a worker holds the job, as SQL. */
export const activeStates = sqlList(active);

/** The states in which the job waits for a worker, as SQL. */
export const waitingStates = sqlList(waiting);

/** Milliseconds without a heartbeat of its worker after which a job counts as stalled. */
export const stalledAfterMs = 30_000;

/** {@link stalledAfterMs} as SQL. */
export const stalledAfter = `interval '${stalledAfterMs} milliseconds'`;

/**
 * Whether a worker other than the given one has slots and reads the job's format. Both the argument and the result are
 * SQL. Such a worker may still be paused or full of long jobs.
 */
export const hasOtherWorker = (worker: string) =>
  `exists (select from workers where id <> ${worker} and slots > 0 and reads >= format
    and beat_at > now() - ${stalledAfter})`;

/**
 * Minimum age of a run's heartbeat before it is written again with the same progress. Writing it each second costs the
 * database more than everything else that jobs do.
 */
export const heartbeatRewriteAfter = `interval '3 seconds'`;

/**
 * Time without a heartbeat after which a worker's jobs are given to others. Together with the delay until the next
 * sweep, this takes at most 30 s.
 */
export const lostAfter = `interval '25 seconds'`;

/**
 * Milliseconds for which a worker continues without confirmation that it still holds its jobs. This equals the time
 * until a job counts as stalled, so a shorter outage of the database costs no job.
 */
export const heartbeatTimeoutMs = stalledAfterMs;

/** Channel that is notified when a job is waiting. */
export const queueChannel = 'render_queue';

/**
 * Channel that is notified when a job was cancelled. The payload is the job's current run, or its last run if the job
 * had returned to the queue.
 */
export const cancelChannel = 'render_cancelled';

/** Channel that is notified when a job has finished, with its ID. */
export const finalChannel = 'render_final';

function sqlList(states: readonly JobState[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}

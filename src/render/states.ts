/** What the statements on render jobs have in common, as SQL. */

/** The states in which a worker holds the job. */
export const activeStates = `('downloading_inputs', 'processing', 'uploading_output')`;

/** The states in which the job waits for a worker. */
export const waitingStates = `('pending', 'queued')`;

/** How long a worker may give no sign of life before its job counts as stalled. */
export const stalledAfter = `interval '30 seconds'`;

/**
 * Whether there is a worker other than the given one, both as SQL, that has slots and reads the format of the job. It may
 * be paused or full of long jobs all the same.
 */
export const hasOtherWorker = (worker: string) =>
  `exists (select from workers where id <> ${worker} and slots > 0 and reads >= format
    and beat_at > now() - ${stalledAfter})`;

/**
 * How old the last written sign of life of a run becomes before it is written again, when its progress is the same:
 * what is written each second costs the database more than all else that jobs do.
 */
export const writtenAgainAfter = `interval '3 seconds'`;

/** When the jobs of a silent worker are given to others: with the time until the next sweep, no later than 30 s. */
export const lostAfter = `interval '25 seconds'`;

/**
 * How long a worker goes on without hearing that its jobs are still its own, in milliseconds. When it is as long as
 * `stalledAfter`, a database that is away for less costs no job anything.
 */
export const loneWorkerMs = 30_000;

/** Channel that is told when a job is waiting. */
export const queueChannel = 'render_queue';

/** Channel that is told when a job was cancelled, with the run that it had, or had before it went back to the queue. */
export const cancelChannel = 'render_cancelled';

/** Channel that is told when a job is over, with its id. */
export const finalChannel = 'render_final';

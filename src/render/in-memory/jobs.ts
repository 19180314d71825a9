import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { jobCancelledError, outcomeIfFinished } from '../jobs/cancel-rules.ts';
import { jobNotFoundError } from '../jobs/job-not-found.ts';
import { cancelChannel, finalChannel, queueChannel } from '../jobs/job-states.ts';
import type { Jobs, StartConditions, StartOptions, StartOutcome } from '../jobs/jobs.ts';
import { retriedMessage } from '../jobs/retry-job.ts';
import { checkRetry } from '../jobs/retry-rules.ts';
import {
  acceptedMessage,
  atCapacityError,
  attachedMessage,
  type CountedAs,
  canAttach,
  countedAs,
  decideStart,
  initialState,
  loadOf,
  tooManyJobsError,
} from '../jobs/start-rules.ts';
import type { JobRecords } from './job-records.ts';
import { endJob } from './job-transitions.ts';
import { toStatusRow } from './to-status-row.ts';
import { countVisitorStart } from './visitor-starts.ts';

/** Returns the start conditions of the jobs in memory. */
export function createInMemoryStartConditions(records: JobRecords): StartConditions {
  return {
    existing: async (id) => records.findExisting(id),
    load: async (...start) => loadOf(records.countFor(...start)),
    // The files are those of the command's own user.
    storedSizeRefusal: async () => undefined,
  };
}

/** Creates the callers' interface to the jobs in memory, of which up to `maxQueued` may wait. */
export function createInMemoryJobs(records: JobRecords, maxQueued: number): Jobs {
  function addJob(job: Job, owner: string, options: StartOptions, message: string, as: CountedAs): StartOutcome {
    const { origin, maxUnfinished = Number.POSITIVE_INFINITY, visitor } = options;
    const isVisitor = visitor !== undefined;
    const load = loadOf(records.countFor(job.id, owner, isVisitor));
    if (load.unfinishedJobs >= maxUnfinished) throw tooManyJobsError(maxUnfinished);
    if (visitor !== undefined) countVisitorStart(records, visitor, job.id, as);
    const state = initialState(load, maxQueued, isVisitor);
    const error = state === 'failed' ? atCapacityError() : undefined;
    const record = records.add({ owner, visitor: isVisitor, job, origin, state, error });
    records.notify(queueChannel, job.id);
    return { jobId: job.id, isNew: true, message, ...(state === 'failed' ? { finishedJob: toStatusRow(record) } : {}) };
  }

  function toAttachedOutcome(id: string, message: string): StartOutcome {
    const record = records.find(id);
    const finishedJob = record?.state === 'done' ? { finishedJob: toStatusRow(record) } : {};
    return { jobId: id, isNew: false, message, ...finishedJob };
  }

  return {
    async start(job, owner, options = {}) {
      if (job.webhook !== undefined) throw webhookUnsupportedError();
      const existing = records.findExisting(job.id);
      if (existing === undefined) return addJob(job, owner, options, acceptedMessage, 'start');
      const decision = decideStart(existing, job, owner);
      if (decision.begins) return addJob(job, owner, options, decision.message, countedAs(existing));
      const record = records.find(job.id);
      if (decision.extends && record !== undefined) {
        record.expiresAt = Math.max(record.expiresAt, records.now() + job.ttl);
      }
      return toAttachedOutcome(job.id, decision.message);
    },
    async attach(id, owner) {
      const existing = records.findExisting(id);
      return canAttach(existing, id, owner) ? toAttachedOutcome(id, attachedMessage(existing.state)) : undefined;
    },
    async retry(id, owner, options = {}) {
      const record = records.find(id);
      if (record === undefined) throw jobNotFoundError();
      checkRetry({ ...record, error: record.error?.message ?? null }, id, owner);
      options.check?.(record.job);
      return addJob(record.job, owner, options, retriedMessage, 'restart');
    },
    async deleteFinished(id, owner) {
      const record = records.find(id);
      if (record === undefined) throw jobNotFoundError();
      const outcome = outcomeIfFinished({ ...record, error: record.error?.message ?? null }, id, owner);
      if (outcome === undefined) return undefined;
      records.delete(id);
      records.notify(finalChannel, id);
      return toStatusRow(record);
    },
    async cancel(id, owner) {
      const record = records.find(id);
      if (record === undefined) throw jobNotFoundError();
      const outcome = outcomeIfFinished({ ...record, error: record.error?.message ?? null }, id, owner);
      if (outcome !== undefined) return outcome;
      const run = record.currentRun?.run ?? record.previousRun?.run;
      record.previousRun = undefined;
      endJob(record, { state: 'failed', error: jobCancelledError() });
      records.notify(finalChannel, id);
      if (run !== undefined) records.notify(cancelChannel, run);
      return 'cancelled';
    },
  };
}

function webhookUnsupportedError(): MillraceError {
  const message = 'A job with a webhook needs a database, which this command does not have. Use --data or --service.';
  return new MillraceError('invalid_params', message);
}

import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { cancelled, outcomeIfOver } from '../jobs/cancel-rules.ts';
import type { Jobs, StartConditions, StartOutcome } from '../jobs/jobs.ts';
import { noSuchJob } from '../jobs/no-such-job.ts';
import {
  accepted,
  atCapacity,
  attachedMessage,
  decideStart,
  firstState,
  loadOf,
  mayAttach,
  tooMany,
} from '../jobs/start-rules.ts';
import { cancelChannel, finalChannel, queueChannel } from '../jobs/states.ts';
import { end } from './endings.ts';
import type { JobRecords } from './records.ts';
import { statusRowOf } from './status-row-of.ts';

/** Returns the start conditions of the jobs in memory. */
export function startConditionsInMemory(records: JobRecords): StartConditions {
  return {
    existing: async (id) => records.existing(id),
    load: async (id, owner) => loadOf(records.counts(id, owner)),
  };
}

/** The jobs in memory, as callers see them. `maxQueued` jobs may wait. */
export function jobsInMemory(records: JobRecords, maxQueued: number): Jobs {
  function begin(job: Job, owner: string, most: number, message: string): StartOutcome {
    const load = loadOf(records.counts(job.id, owner));
    if (load.unfinished >= most) throw tooMany(most);
    const state = firstState(load, maxQueued);
    const record = records.add(owner, job, state, state === 'failed' ? atCapacity() : undefined);
    records.notify(queueChannel, job.id);
    return { jobId: job.id, fresh: true, message, ...(state === 'failed' ? { over: statusRowOf(record) } : {}) };
  }

  function attached(id: string, message: string): StartOutcome {
    const record = records.find(id);
    const over = record?.state === 'done' ? { over: statusRowOf(record) } : {};
    return { jobId: id, fresh: false, message, ...over };
  }

  return {
    async start(job, owner, most = Number.POSITIVE_INFINITY) {
      if (job.webhook !== undefined) throw noWebhooks();
      const existing = records.existing(job.id);
      if (existing === undefined) return begin(job, owner, most, accepted);
      const decision = decideStart(existing, job, owner);
      if (decision.begins) return begin(job, owner, most, decision.message);
      const record = records.find(job.id);
      if (decision.extends && record !== undefined) {
        record.expiresAt = Math.max(record.expiresAt, records.now() + job.ttl);
      }
      return attached(job.id, decision.message);
    },
    async attach(id, owner) {
      const existing = records.existing(id);
      return mayAttach(existing, id, owner) ? attached(id, attachedMessage(existing.state)) : undefined;
    },
    async cancel(id, owner) {
      const record = records.find(id);
      if (record === undefined) throw noSuchJob();
      const over = outcomeIfOver({ ...record, error: record.error?.message ?? null }, id, owner);
      if (over !== undefined) return over;
      const run = record.currentRun?.run ?? record.formerRun?.run;
      record.formerRun = undefined;
      end(record, { state: 'failed', error: cancelled() });
      records.notify(finalChannel, id);
      if (run !== undefined) records.notify(cancelChannel, run);
      return 'cancelled';
    },
  };
}

function noWebhooks(): MillraceError {
  const message = 'A job whose service ends with the command cannot have a webhook. Use --data or --service.';
  return new MillraceError('invalid_params', message);
}

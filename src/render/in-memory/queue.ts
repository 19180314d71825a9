import { randomUUID } from 'node:crypto';
import { finalChannel, isActive, isWaiting, queueChannel } from '../jobs/job-states.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import { diskExhaustedError, MAX_FULL_DISKS, sharedDiskBackoffMs } from '../jobs/queue/full-disk.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { JobRecord, JobRecords } from './job-records.ts';
import { endJob, type JobOutcome, requeueJob } from './job-transitions.ts';

/**
 * Creates the queue in memory. Its only worker ends with it, so no job is ever lost to a dead node: there are no
 * suspects, and nothing to recover. All jobs belong to the caller of the command, so nobody takes turns.
 */
export function createInMemoryQueue(records: JobRecords): Queue {
  function assign(record: JobRecord, worker: string): ClaimedJob {
    const { owner, visitor, job, origin, createdAt, expiresAt, previousRun } = record;
    const own = previousRun?.worker === worker ? previousRun : undefined;
    const run = randomUUID();
    if (own === undefined) record.progress = 0;
    record.currentRun = { worker, run };
    record.state = 'downloading_inputs';
    record.lastHeartbeatAt = records.now();
    const resumable = own === undefined ? {} : { previousRun: { run: own.run, progress: record.progress } };
    return {
      run,
      id: job.id,
      owner,
      ...(origin === undefined ? {} : { origin }),
      job,
      test: false,
      visitor,
      expiresAt: new Date(expiresAt),
      waitedMs: records.now() - createdAt,
      isFirstRun: own === undefined,
      alone: false,
      ...resumable,
    };
  }

  /** Ends a run that is still valid, and notifies the subscribers. */
  function endRun(run: string, outcome: JobOutcome): JobRecord | undefined {
    const record = records.findByRun(run);
    if (record === undefined) return undefined;
    endJob(record, outcome);
    records.notify(finalChannel, record.job.id);
    return record;
  }

  function requeue(record: JobRecord, resumable: boolean): void {
    requeueJob(record, resumable);
    records.notify(queueChannel, record.job.id);
  }

  return {
    async claim(worker) {
      const now = records.now();
      const waiting = records.unexpired().filter(({ state, backoffUntil }) => isWaiting(state) && backoffUntil <= now);
      const next = waiting.find(({ previousRun }) => previousRun?.worker === worker) ?? waiting[0];
      return next === undefined ? undefined : assign(next, worker);
    },

    async hasWaitingJob() {
      return records.unexpired().some(({ state }) => isWaiting(state));
    },

    // The files are those of the command's own user, who limits none.
    storedSizes: async () => ({ own: 0, all: 0 }),

    async heartbeat(worker, slots, progress) {
      records.recordHeartbeat(worker, slots);
      const own = records
        .unexpired()
        .filter(({ currentRun }) => currentRun !== undefined && progress.has(currentRun.run));
      for (const record of own) {
        record.progress = Math.max(record.progress, progress.get(record.currentRun?.run ?? '') ?? 0);
        record.lastHeartbeatAt = records.now();
      }
      return new Set(own.flatMap(({ currentRun }) => currentRun?.run ?? []));
    },

    async enterStage(run, state, progress) {
      const record = records.findByRun(run);
      if (record === undefined) return false;
      record.state = state;
      record.progress = Math.max(record.progress, progress);
      return true;
    },

    async complete(run, file) {
      const record = endRun(run, { state: 'done', file });
      if (record === undefined) {
        return records
          .all()
          .some((each) => ('key' in file ? each.file?.key === file.key : each.delivery === file.delivery));
      }
      record.progress = 100;
      record.expiresAt = Math.max(record.expiresAt, records.now() + record.job.ttl);
      return true;
    },

    async releaseSlot() {
      // Releasing a slot only decides which job the death of a node counts against, and here no job outlives its node.
    },

    async fail(run, error, progress, delivery) {
      const record = endRun(run, { state: 'failed', error, ...(delivery === undefined ? {} : { delivery }) });
      if (record !== undefined) record.progress = progress;
    },

    async requeue(run) {
      const record = records.findByRun(run);
      if (record !== undefined) requeue(record, true);
      return record !== undefined;
    },

    async requeueAfterFullDisk(run, otherDiskUse) {
      const record = records.findByRun(run);
      if (record === undefined) return;
      record.fullDiskCount += otherDiskUse === 'nothing' ? 1 : 0;
      if (record.fullDiskCount >= MAX_FULL_DISKS) {
        endRun(run, { state: 'failed', error: diskExhaustedError() });
        return;
      }
      record.backoffUntil = records.now() + (otherDiskUse === 'results' ? sharedDiskBackoffMs : 0);
      requeue(record, false);
    },

    async requeueOthers(worker, current) {
      const others = records.all().filter(({ currentRun, state }) => currentRun?.worker === worker && isActive(state));
      for (const record of others) if (!current.includes(record.currentRun?.run ?? '')) requeue(record, true);
    },

    async recoverLostRuns() {
      // No run can be lost, because the queue ends with its worker.
    },

    async resumableRuns(worker) {
      const running = records.all().filter((each) => each.currentRun?.worker === worker && isActive(each.state));
      const resumable = records
        .all()
        .filter(
          ({ previousRun, state, currentRun }) =>
            previousRun?.worker === worker && (isWaiting(state) || (isActive(state) && currentRun?.worker === worker)),
        );
      return new Set([
        ...running.flatMap(({ currentRun }) => currentRun?.run ?? []),
        ...resumable.flatMap(({ previousRun }) => previousRun?.run ?? []),
      ]);
    },

    async removeWorker(worker) {
      records.removeWorker(worker);
    },
  };
}

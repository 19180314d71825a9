import { randomUUID } from 'node:crypto';
import type { ClaimedJob } from '../jobs/queue/claim.ts';
import { MAX_FULL_DISKS, restBesideResultsMs, tooLarge } from '../jobs/queue/full-disk.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { finalChannel, isActive, isWaiting, queueChannel } from '../jobs/states.ts';
import { type Ending, end, putBack } from './endings.ts';
import type { JobRecord, JobRecords } from './records.ts';

/**
 * The queue in memory. Its one worker lives and dies with it, so no job is ever lost to a dead node: there are no
 * suspects, and nothing to recover.
 */
export function queueInMemory(records: JobRecords): Queue {
  function claimed(record: JobRecord, worker: string): ClaimedJob {
    const { job, expiresAt, formerRun } = record;
    const former = formerRun?.worker === worker ? formerRun : undefined;
    const run = randomUUID();
    if (former === undefined) record.progress = 0;
    record.currentRun = { worker, run };
    record.state = 'downloading_inputs';
    record.beatAt = records.now();
    const resumed = former === undefined ? {} : { former: { run: former.run, progress: record.progress } };
    return { run, id: job.id, job, expiresAt: new Date(expiresAt), alone: false, ...resumed };
  }

  /** Ends a run that is still valid, and notifies the subscribers. */
  function finish(run: string, ending: Ending): JobRecord | undefined {
    const record = records.ofRun(run);
    if (record === undefined) return undefined;
    end(record, ending);
    records.notify(finalChannel, record.job.id);
    return record;
  }

  function handBack(record: JobRecord, resumable: boolean): void {
    putBack(record, resumable);
    records.notify(queueChannel, record.job.id);
  }

  return {
    async claim(worker) {
      const now = records.now();
      const waiting = records.living().filter(({ state, restsUntil }) => isWaiting(state) && restsUntil <= now);
      const next = waiting.find(({ formerRun }) => formerRun?.worker === worker) ?? waiting[0];
      return next === undefined ? undefined : claimed(next, worker);
    },

    async isWaiting() {
      return records.living().some(({ state }) => isWaiting(state));
    },

    async beat(worker, slots, progress) {
      records.workerBeats(worker, slots);
      const own = records.living().filter(({ currentRun }) => currentRun !== undefined && progress.has(currentRun.run));
      for (const record of own) {
        record.progress = Math.max(record.progress, progress.get(record.currentRun?.run ?? '') ?? 0);
        record.beatAt = records.now();
      }
      return new Set(own.flatMap(({ currentRun }) => currentRun?.run ?? []));
    },

    async enter(run, state, progress) {
      const record = records.ofRun(run);
      if (record === undefined) return false;
      record.state = state;
      record.progress = Math.max(record.progress, progress);
      return true;
    },

    async complete(run, file) {
      const record = finish(run, { state: 'done', file });
      if (record === undefined) return records.all().some((each) => each.file?.key === file.key);
      record.progress = 100;
      record.expiresAt = Math.max(record.expiresAt, records.now() + record.job.ttl);
      return true;
    },

    async leaveSlot() {
      // Only decides whom the death of a node counts against, and here no job survives that.
    },

    async fail(run, error, progress) {
      const record = finish(run, { state: 'failed', error });
      if (record !== undefined) record.progress = progress;
    },

    async handBack(run) {
      const record = records.ofRun(run);
      if (record !== undefined) handBack(record, true);
      return record !== undefined;
    },

    async handBackFull(run, besides) {
      const record = records.ofRun(run);
      if (record === undefined) return;
      record.fullDisks += besides === 'nothing' ? 1 : 0;
      if (record.fullDisks >= MAX_FULL_DISKS) {
        finish(run, { state: 'failed', error: tooLarge() });
        return;
      }
      record.restsUntil = records.now() + (besides === 'results' ? restBesideResultsMs : 0);
      handBack(record, false);
    },

    async handBackOthers(worker, current) {
      const others = records.all().filter(({ currentRun, state }) => currentRun?.worker === worker && isActive(state));
      for (const record of others) if (!current.includes(record.currentRun?.run ?? '')) handBack(record, true);
    },

    async recover() {
      // A worker that dies takes the queue with it.
    },

    async resumable(worker) {
      const running = records.all().filter((each) => each.currentRun?.worker === worker && isActive(each.state));
      const resumable = records
        .all()
        .filter(
          ({ formerRun, state, currentRun }) =>
            formerRun?.worker === worker && (isWaiting(state) || (isActive(state) && currentRun?.worker === worker)),
        );
      return new Set([
        ...running.flatMap(({ currentRun }) => currentRun?.run ?? []),
        ...resumable.flatMap(({ formerRun }) => formerRun?.run ?? []),
      ]);
    },

    async leave(worker) {
      records.workerLeaves(worker);
    },
  };
}

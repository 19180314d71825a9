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
    const { job, expiresAt, left } = record;
    const former = left?.worker === worker ? left : undefined;
    const run = randomUUID();
    if (former === undefined) record.progress = 0;
    record.held = { worker, run };
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
      const next = waiting.find(({ left }) => left?.worker === worker) ?? waiting[0];
      return next === undefined ? undefined : claimed(next, worker);
    },

    async isWaiting() {
      return records.living().some(({ state }) => isWaiting(state));
    },

    async beat(worker, slots, progress) {
      records.workerBeats(worker, slots);
      const own = records.living().filter(({ held }) => held !== undefined && progress.has(held.run));
      for (const record of own) {
        record.progress = Math.max(record.progress, progress.get(record.held?.run ?? '') ?? 0);
        record.beatAt = records.now();
      }
      return new Set(own.flatMap(({ held }) => held?.run ?? []));
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

    async handBackOthers(worker, known) {
      const others = records.all().filter(({ held, state }) => held?.worker === worker && isActive(state));
      for (const record of others) if (!known.includes(record.held?.run ?? '')) handBack(record, true);
    },

    async recover() {
      // A worker that dies takes the queue with it.
    },

    async resumable(worker) {
      const held = records.all().filter((each) => each.held?.worker === worker && isActive(each.state));
      const left = records
        .all()
        .filter(
          ({ left, state, held }) =>
            left?.worker === worker && (isWaiting(state) || (isActive(state) && held?.worker === worker)),
        );
      return new Set([...held.flatMap(({ held }) => held?.run ?? []), ...left.flatMap(({ left }) => left?.run ?? [])]);
    },

    async leave(worker) {
      records.workerLeaves(worker);
    },
  };
}

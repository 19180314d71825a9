import type { JobStore } from '../jobs/job-store.ts';
import { fileLost } from '../jobs/lost-files.ts';
import type { ResultFiles } from '../jobs/result-files.ts';
import { finalChannel } from '../jobs/states.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { cacheInMemory } from './cache.ts';
import { end } from './endings.ts';
import { jobsInMemory, startConditionsInMemory } from './jobs.ts';
import { queueInMemory } from './queue.ts';
import { JobRecords } from './records.ts';
import { statusRowOf } from './status-row-of.ts';

/**
 * Jobs that live in the memory of this process and end with it: one worker, no other nodes, no webhooks. They go by the
 * same rules as those of a database (start-rules.ts, cancel-rules.ts, states.ts). Files of expired jobs are not deleted:
 * their folder goes with the command.
 *
 * @param maxQueued Jobs that may wait.
 * @param now The clock, in milliseconds since 1970.
 */
export function createJobStoreInMemory(maxQueued: number, now: () => number = Date.now): JobStore {
  const records = new JobRecords(now);
  return {
    jobs: jobsInMemory(records, maxQueued),
    queue: queueInMemory(records),
    cache: cacheInMemory(now),
    statuses: statusesInMemory(records),
    startConditions: startConditionsInMemory(records),
    files: filesInMemory(records),
  };
}

function statusesInMemory(records: JobRecords): Statuses {
  return {
    async read(ids) {
      const rows = ids.flatMap((id) => records.find(id) ?? []);
      return new Map(rows.map((record) => [record.job.id, statusRowOf(record)]));
    },
    listen: (channel, listener) => records.listen(channel, listener),
  };
}

function filesInMemory(records: JobRecords): ResultFiles {
  return {
    async find(key) {
      const record = records.living().find(({ file }) => file?.key === key);
      if (record?.file === undefined) return undefined;
      const { state, error_code, expires_at } = statusRowOf(record);
      const { name, size, sha256 } = record.file;
      return { state, error_code, file_name: name, file_size: size, file_sha256: sha256 ?? null, expires_at };
    },
    async failLost(keys) {
      const lost = records.all().filter(({ state, file }) => state === 'done' && keys.includes(file?.key ?? ''));
      for (const record of lost) {
        end(record, { state: 'failed', error: fileLost() });
        records.notify(finalChannel, record.job.id);
      }
      return lost.length;
    },
  };
}

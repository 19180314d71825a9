import { finalChannel } from '../jobs/job-states.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { fileLostError } from '../jobs/lost-files.ts';
import type { ResultFiles } from '../jobs/result-files.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { JobRecords } from './job-records.ts';
import { endJob } from './job-transitions.ts';
import { createInMemoryJobs, createInMemoryStartConditions } from './jobs.ts';
import { createInMemoryQueue } from './queue.ts';
import { createInMemoryStoredDescriptions } from './stored-descriptions.ts';
import { createInMemoryStoredOrders } from './stored-orders.ts';
import { toStatusRow } from './to-status-row.ts';

/**
 * Creates a job store in the memory of this process: one worker, no other nodes, no webhooks, no test keys. The jobs
 * follow the same rules as those of a database (start-rules.ts, cancel-rules.ts, job-states.ts). Files of expired jobs
 * are not deleted: their folder is deleted when the command ends.
 *
 * @param maxQueued Maximum number of waiting jobs.
 * @param now The clock, in milliseconds since 1970.
 */
export function createInMemoryJobStore(maxQueued: number, now: () => number = Date.now): JobStore {
  const records = new JobRecords(now);
  return {
    jobs: createInMemoryJobs(records, maxQueued),
    queue: createInMemoryQueue(records),
    storedDescriptions: createInMemoryStoredDescriptions(now),
    storedOrders: { live: createInMemoryStoredOrders(now) },
    statuses: createInMemoryStatuses(records),
    startConditions: createInMemoryStartConditions(records),
    files: createInMemoryResultFiles(records),
  };
}

function createInMemoryStatuses(records: JobRecords): Statuses {
  return {
    async read(ids) {
      const rows = ids.flatMap((id) => records.find(id) ?? []);
      return new Map(rows.map((record) => [record.job.id, toStatusRow(record)]));
    },
    listen: (channel, listener) => records.listen(channel, listener),
  };
}

function createInMemoryResultFiles(records: JobRecords): ResultFiles {
  return {
    async find(key) {
      const record = records.unexpired().find(({ file }) => file?.key === key);
      if (record?.file === undefined) return undefined;
      const { state, error_code, expires_at } = toStatusRow(record);
      const { name, size, sha256 } = record.file;
      return {
        state,
        error_code,
        file_name: name,
        file_size: size,
        file_sha256: sha256 ?? null,
        expires_at,
        subjects: null,
      };
    },
    async findReceipt(key) {
      return records.unexpired().find(({ file }) => file?.key === key)?.file?.receipt;
    },
    async failLostFiles(keys) {
      const lostRecords = records.all().filter(({ state, file }) => state === 'done' && keys.includes(file?.key ?? ''));
      for (const record of lostRecords) {
        endJob(record, { state: 'failed', error: fileLostError() });
        records.notify(finalChannel, record.job.id);
      }
      return lostRecords.length;
    },
  };
}

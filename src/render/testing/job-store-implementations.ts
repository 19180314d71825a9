import { openTestDatabase } from '../../database/testing/test-database.ts';
import { createInMemoryJobStore } from '../in-memory/job-store.ts';
import { type JobStore, openJobStore } from '../jobs/job-store.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import { deleteJobs, testJob, testSealers } from './job-database.ts';

/** A job store with a clock that a test controls. */
export interface TestJobStore extends JobStore {
  /** Lets a day pass, so that every job expires. */
  expireAll(): Promise<void>;
  /** Lets `duration` milliseconds pass without a heartbeat of any worker. */
  passWithoutHeartbeat(duration: number): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Functions that open each implementation of {@link JobStore}, given its maximum number of waiting jobs. Each
 * implementation must pass the same tests.
 */
export const jobStoreImplementations = {
  'a database': openDatabaseJobStore,
  memory: openInMemoryJobStore,
} satisfies Record<string, (maxQueued: number) => Promise<TestJobStore>>;

/** The names of {@link jobStoreImplementations}. */
export const implementationNames = Object.keys(jobStoreImplementations) as (keyof typeof jobStoreImplementations)[];

async function openDatabaseJobStore(maxQueued: number): Promise<TestJobStore> {
  const database = await openTestDatabase();
  const store = openJobStore(database, testSealers, maxQueued);
  const change = async (statement: string, parameters: readonly unknown[] = []) => {
    await database.query(statement, parameters);
  };
  return {
    ...store,
    async expireAll() {
      await change('update render_jobs set expires_at = now()');
      await change("update visitor_starts set started_at = started_at - interval '1 day'");
    },
    async passWithoutHeartbeat(duration) {
      const ago = `${duration} milliseconds`;
      await change('update render_progress set beat_at = beat_at - $1::text::interval', [ago]);
      await change('update workers set beat_at = beat_at - $1::text::interval', [ago]);
      await change('update render_jobs set full_disk_at = full_disk_at - $1::text::interval', [ago]);
    },
    clear: () => deleteJobs(database),
    close: () => database.close(),
  };
}

async function openInMemoryJobStore(maxQueued: number): Promise<TestJobStore> {
  let now = Date.now();
  let store = createInMemoryJobStore(maxQueued, () => now);
  const pass = async (duration: number) => {
    now += duration;
  };
  return {
    get jobs() {
      return store.jobs;
    },
    get queue() {
      return store.queue;
    },
    get storedDescriptions() {
      return store.storedDescriptions;
    },
    get storedOrders() {
      return store.storedOrders;
    },
    get statuses() {
      return store.statuses;
    },
    get startConditions() {
      return store.startConditions;
    },
    get files() {
      return store.files;
    },
    // No job lasts longer.
    expireAll: () => pass(86_400_000),
    passWithoutHeartbeat: pass,
    async clear() {
      store = createInMemoryJobStore(maxQueued, () => now);
    },
    close: async () => undefined,
  };
}

/** Returns a job with this ID that copies a file. `ttl` is in milliseconds. */
export function jobWithId(id: string, ttl = 180_000) {
  const requestOptions = { headers: { cookie: 'secret=1' } };
  return testJob(id, { inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4', requestOptions }], ttl });
}

/** Returns the status of a job. Throws if there is none. */
export async function statusOf({ statuses }: JobStore, id: string): Promise<StatusRow> {
  const row = (await statuses.read([id])).get(id);
  if (row === undefined) throw new Error(`there is no job ${id}`);
  return row;
}

/** Claims the next job for a worker. Throws if none waits. */
export async function claimNext({ queue }: JobStore, worker: string): Promise<ClaimedJob> {
  const claim = await queue.claim(worker);
  if (claim === undefined) throw new Error('no job is waiting');
  return claim;
}

import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { createSealers } from '../../sealing/sealers.ts';
import { type Jobs, openJobs } from '../jobs/jobs.ts';
import { openQueue, type Queue } from '../jobs/queue/queue.ts';

/** The sealers of test databases. */
export const testSealers = createSealers(['a secret for these tests']);

/** The sealer of the jobs of test databases. */
export const testSealer = testSealers.live;

/** A test database with jobs. */
export interface JobDatabase {
  readonly database: TestDatabase;
  readonly jobs: Jobs;
  readonly queue: Queue;
  /** Starts the job {@link testJob} for the owner `me`. */
  start(id: string, members?: object): Promise<void>;
  /** Returns all columns of a job; undefined if it does not exist. */
  row(id: string): Promise<Record<string, unknown> | undefined>;
  /** Deletes all jobs and workers. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a test database in which up to `maxQueued` jobs may wait. */
export async function openJobDatabase(maxQueued: number): Promise<JobDatabase> {
  const database = await openTestDatabase();
  const jobs = openJobs(database, testSealer, maxQueued);
  return {
    database,
    jobs,
    queue: openQueue(database, testSealer),
    async start(id, members) {
      await jobs.start(testJob(id, members), 'me');
    },
    async row(id) {
      const [row] = await database.query<Record<string, unknown>>('select * from render_jobs where id = $1', [id]);
      return row;
    },
    clear: () => deleteJobs(database),
    close: () => database.close(),
  };
}

/** Deletes all jobs and workers of a database. */
export async function deleteJobs(database: Database): Promise<void> {
  for (const table of ['render_jobs', 'render_progress', 'claim_turns', 'workers', 'file_deletions']) {
    await database.query(`delete from ${table}`);
  }
}

/** Returns a job with this ID that copies a file. `members` override the defaults. */
export function testJob(id: string, members: object = {}) {
  return parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ...members,
  });
}

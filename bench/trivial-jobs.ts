import { exec } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { keys, type RunningProcess, startService } from '../test/support/processes.ts';
import { media, type Origin } from './render/origin.ts';
import type { Setup } from './scale/setup.ts';

/** Concurrent jobs of a worker. */
export const SLOTS = 4;

const CONCURRENT_CALLS = 8;
const POLL_INTERVAL_MS = 200;

const run = promisify(exec);

/** Starts a node on the database and files of the setup. */
export function startNode({ databaseUrl, folder }: Setup, origin: Origin, name: string, roles: string, more = {}) {
  return startService(origin.url, join(folder, name), {
    ROLES: roles,
    DATABASE_URL: databaseUrl,
    STORAGE_URL: `file:${join(folder, 'files')}`,
    WORKER_CONCURRENCY: `${SLOTS}`,
    MAX_QUEUED_JOBS: '100000',
    LOG_LEVEL: 'error',
    ...more,
  });
}

/** Result of a number of trivial jobs. */
interface JobRates {
  readonly jobsPerSecond: number;
  readonly startsPerSecond: number;
}

/**
 * Starts this number of copies of a 2 s video and waits for their files.
 *
 * @throws Error if a job fails.
 */
export async function runJobs(node: RunningProcess, database: pg.Client, count: number): Promise<JobRates> {
  const prefix = randomUUID();
  const startedAt = performance.now();
  await startAll(node.url, prefix, count);
  const acceptedAt = performance.now();
  await untilDone(database, prefix, count);
  const seconds = (since: number) => (performance.now() - since) / 1000;
  return { jobsPerSecond: count / seconds(startedAt), startsPerSecond: count / ((acceptedAt - startedAt) / 1000) };
}

async function startAll(url: string, prefix: string, count: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      const job = {
        id: `${prefix}-${next}`,
        inputs: [{ url: `https://cdn.lab.example${media.tiny}`, ext: 'mp4' }],
        output: { ext: 'mp4' },
        operation: { type: 'convert_format' },
      };
      const response = await fetch(`${url}/api/v1/render/execute`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.render}` },
        body: JSON.stringify(job),
      });
      if (response.status !== 202) throw new Error(`a job was not accepted: ${await response.text()}`);
      await response.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, lane));
}

async function untilDone(database: pg.Client, prefix: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      `select count(*) filter (where state = 'done')::integer as done, min(error) as error
       from render_jobs where id like $1`,
      [`${prefix}-%`],
    );
    const [{ done, error }] = rows;
    if (error !== null) throw new Error(`a job of the benchmark failed: ${error}`);
    if (done === count) return;
    await delay(POLL_INTERVAL_MS);
  }
}

/**
 * Runs the peer: curl, ffmpeg and ffprobe one after the other for each file, for `concurrency` files at a time. Returns
 * jobs a second.
 */
export async function runInShell(origin: Origin, count: number, concurrency: number): Promise<number> {
  const folder = resolve('data', 'bench', 'shell');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const job = [
    `curl -sf -o {}.in.mp4 ${origin.url}${media.tiny}`,
    'ffmpeg -v error -i {}.in.mp4 -c copy -movflags +faststart {}.mp4',
    'ffprobe -v error {}.mp4',
    'rm {}.in.mp4',
  ].join(' && ');
  const startedAt = performance.now();
  await run(`seq ${count} | xargs -P ${concurrency} -I{} sh -c '${job}'`, { cwd: folder });
  const wall = (performance.now() - startedAt) / 1000;
  await rm(folder, { recursive: true, force: true });
  return count / wall;
}

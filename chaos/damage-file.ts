import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import type { StatusEvent } from '../test/support/http-client.ts';
import { nameOfJob, type RunMemory, recordFile } from './check-outcome.ts';
import type { Damage, Scene } from './scene.ts';
import { fetchStatus, isConnectionError, type TrackedJob } from './tracked-job.ts';
import { waitUntil } from './wait-until.ts';
import type { World } from './world.ts';

/** Seconds until a job of the point must have a file, and until the file's hash must be known. */
const FILE_TIMEOUT_S = 90;
/**
 * Seconds until a loss must be noticed. A download reveals it immediately; the comparison of stored files reveals it
 * after some rounds.
 */
const NOTICE_TIMEOUT_S = 60;
const DOWNLOAD_TIMEOUT_MS = 30_000;

/** Damages a file, at the byte `at`. */
const damages: Readonly<Record<Damage, (path: string, at: number) => Promise<void>>> = {
  truncate: (path, at) => truncate(path, at),
  remove: (path) => rm(path),
  async flip(path, at) {
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await writeFile(path, bytes);
  },
};

/** Damages the stored file of one of the point's jobs as soon as one has a file. Returns the name of that job. */
export async function damageFile({ world, jobs, damagedJobs: damaged, pick }: Scene, damage: Damage): Promise<string> {
  const isDone = (job: TrackedJob) => job.latestEvent()?.status === 'done';
  await waitUntil(() => jobs.some(isDone), FILE_TIMEOUT_S, 20);
  const doneJobs = jobs.filter(isDone);
  const job = doneJobs[pick(doneJobs.length, 'file')];
  const output = job?.latestEvent()?.output;
  const path = output && (await world.files.find(output.key));
  if (job === undefined || !path) return 'nothing: no job had a file';
  // A bit that was flipped before the file was first hashed cannot be noticed.
  if (damage === 'flip' && !(await waitUntil(() => hasDigest(output.url), FILE_TIMEOUT_S, 500)))
    throw new Error(`the hash of ${output.key} was not available in time`);
  await damages[damage](path, pick((await stat(path)).size, 'byte'));
  damaged.set(job, damage);
  return nameOfJob(job);
}

async function hasDigest(url: string): Promise<boolean> {
  const response = await download(url, 'HEAD');
  return response?.headers.has('repr-digest') === true;
}

/** Requests a link. Returns undefined if the connection broke or took too long. */
async function download(url: string, method: 'GET' | 'HEAD'): Promise<Response | undefined> {
  try {
    return await fetch(url, { method, signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return undefined;
  }
}

/**
 * Checks that the loss of a job's file is noticed and reported, and that a new start renders it again. Returns the
 * violations.
 */
export async function checkLostFile(
  world: World,
  job: TrackedJob,
  damage: Damage,
  memory: RunMemory,
): Promise<string[]> {
  const lostOutput = job.latestEvent()?.output;
  if (!lostOutput) return [`${nameOfJob(job)} has no file that could be lost`];
  memory.files.delete(lostOutput.key);
  if (damage !== 'flip') {
    const violation = await checkRefusal(lostOutput.url);
    if (violation !== undefined) return [`${nameOfJob(job)}: ${violation}`];
  }
  let current: StatusEvent | undefined;
  const isNoticed = async () => {
    current = await fetchStatus(world.url, job.id).catch(() => undefined);
    return current?.error_code === 'file_lost';
  };
  if (!(await waitUntil(isNoticed, NOTICE_TIMEOUT_S, 500)))
    return [`${nameOfJob(job)} has lost its file, but its status is ${current?.status} (${current?.error_code})`];
  if (current?.retryable !== true) return [`${nameOfJob(job)} has lost its file, but is not reported as retryable`];
  const end = await job.restart();
  recordFile(memory.files, end?.event);
  if (end?.event.output && end.event.output.key !== lostOutput.key) return [];
  return [`${nameOfJob(job)} was started again because its file was lost, but its status is ${end?.event.status}`];
}

async function checkRefusal(url: string): Promise<string | undefined> {
  let result = 'never responded';
  await waitUntil(
    async () => {
      const response = await download(url, 'GET');
      if (response === undefined) return false;
      result = `returned ${response.status} ${(await response.text().catch(() => '')).slice(0, 200)}`;
      return response.status < 500;
    },
    NOTICE_TIMEOUT_S,
    500,
  );
  return /^returned 410 .*"file_lost"/.test(result) ? undefined : `the link of its lost file ${result}`;
}

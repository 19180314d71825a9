import type { StatusEvent } from '../test/support/http-client.ts';
import type { JobKindName } from './job-kinds.ts';
import { fetchStatus, isConnectionError, type TrackedJob } from './tracked-job.ts';
import { verifyFile } from './verify-file.ts';
import { waitUntil } from './wait-until.ts';
import type { World } from './world.ts';

/**
 * Seconds within which expired jobs, and files that the database no longer needs, are deleted. Sweeps run every 5 s.
 */
const SWEEP_S = 30;

/** State of a world that is carried over from one point to the next. */
export interface RunMemory {
  /** Keys of the files of all finished jobs, with their expiry in milliseconds since 1970. */
  readonly files: Map<string, number>;
  /** Bytes that each kind of job needs. */
  readonly bytesNeeded: ReadonlyMap<JobKindName, number>;
  /** Jobs that had not ended when their point stopped waiting. They may still end. */
  readonly openJobs: Set<TrackedJob>;
}

/** Returns the name of a job for reports. */
export const nameOfJob = ({ id, kind }: TrackedJob) => `the job ${id} (${kind})`;

/** Returns the message of an error. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Reads the file of each finished job, and requests its status once more: a job must not finish twice. */
export async function checkFiles(world: World, jobs: readonly TrackedJob[], { files }: RunMemory): Promise<string[]> {
  const violations: string[] = [];
  for (const job of jobs) {
    const event = job.latestEvent();
    if (event?.status !== 'done') continue;
    try {
      violations.push(...(await verifyFile(job.kind, event)).map((fault) => `${nameOfJob(job)}: ${fault}`));
    } catch (error) {
      violations.push(`${nameOfJob(job)}: ${messageOf(error)}`);
    }
    const now = await fetchStatusWithRetries(world, job);
    if (now?.output?.key !== event.output?.key) {
      violations.push(
        `${nameOfJob(job)} was done with the file ${event.output?.key}, and is now done with ${now?.output?.key}`,
      );
    } else recordFile(files, now);
  }
  return violations;
}

/** Requests the status of a job until there is a response. Returns undefined if that takes too long. */
async function fetchStatusWithRetries(world: World, { id }: TrackedJob) {
  let event: Awaited<ReturnType<typeof fetchStatus>>;
  await waitUntil(
    async () => {
      event = await fetchStatus(world.url, id).catch(undefinedIfBroken);
      return event !== undefined;
    },
    SWEEP_S,
    500,
  );
  return event;
}

/** Ignores broken connections, and throws all other errors. */
function undefinedIfBroken(error: unknown): undefined {
  if (!isConnectionError(error)) throw error;
}

/** Checks that jobs that have expired by the clock are deleted. Their files are no longer expected. */
export async function checkExpired(world: World, jobs: readonly TrackedJob[], memory: RunMemory): Promise<string[]> {
  const violations: string[] = [];
  for (const job of jobs) {
    memory.files.delete(job.latestEvent()?.output?.key ?? '');
    const event = await fetchStatusWithRetries(world, job);
    if (event?.status !== 'not_found')
      violations.push(`${nameOfJob(job)} has expired, but its status is still ${event?.status}`);
  }
  return violations;
}

/** Records the file of a job that is done. */
export function recordFile(files: Map<string, number>, event: StatusEvent | undefined): void {
  if (event?.output) files.set(event.output.key, Date.parse(event.expires_at));
}

/**
 * Waits until the store contains exactly the files of the jobs. If the sweeps do not suffice, it reconciles the store
 * as an operator would.
 */
export async function waitForStore(
  world: World,
  { files, openJobs }: RunMemory,
): Promise<{ orphans: number; faults: string[] }> {
  const now = Date.now();
  for (const [key, expiresAt] of files) if (expiresAt < now - SWEEP_S * 1000) files.delete(key);
  let orphanKeys = new Set<string>();
  const clean = async () => {
    for (const job of openJobs) {
      const event = await fetchStatus(world.url, job.id).catch(undefinedIfBroken);
      if (event?.status !== 'done') continue;
      recordFile(files, event);
      openJobs.delete(job);
    }
    orphanKeys = (await world.files.keys()).difference(new Set(files.keys()));
    return orphanKeys.size === 0;
  };
  const orphans = (await waitUntil(clean, SWEEP_S, 500)) ? 0 : orphanKeys.size;
  if (orphans > 0) {
    // The service reconciles only once an hour and skips young files, so the files are made older first.
    await world.files.age(orphanKeys);
    await world.reconcile();
    await waitUntil(clean, SWEEP_S, 500);
  }
  const storedKeys = await world.files.keys();
  const missing = [...files]
    .filter(([key, expiresAt]) => expiresAt > Date.now() && !storedKeys.has(key))
    .map(([key]) => key);
  // Removed from the expected files, so that each missing file is reported only once.
  for (const key of missing) files.delete(key);
  const faults = [
    ...(orphanKeys.size === 0 ? [] : [`${orphanKeys.size} files have no job: ${[...orphanKeys].join(' ')}`]),
    ...(missing.length === 0 ? [] : [`${missing.length} jobs have no file: ${missing.join(' ')}`]),
  ];
  return { orphans, faults };
}

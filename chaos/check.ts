import type { StatusEvent } from '../test/support/http-client.ts';
import { isBroken, statusOf, type TrackedJob } from './jobs.ts';
import type { KindName } from './kinds.ts';
import { verifyFile } from './verify.ts';
import { until } from './wait.ts';
import type { World } from './world.ts';

/** Seconds within which files that the database knows of as over are deleted, and expired jobs; sweeps are every 5 s. */
const SWEEP_S = 30;

/** The state of a world that is carried from one point to the next. */
export interface Memory {
  /** Keys of the files of all jobs that were done, and when these expire: milliseconds since 1970. */
  readonly files: Map<string, number>;
  /** Bytes that each kind of job needs. */
  readonly needed: ReadonlyMap<KindName, number>;
  /** Jobs that were not waited for any longer; they may still end. */
  readonly open: Set<TrackedJob>;
}

/** Names a job in reports. */
export const about = ({ id, kind }: TrackedJob) => `the job ${id} (${kind})`;

/** Returns the message of an error. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Reads the file of each job that is done, and asks for its status once more: it may not be done twice. */
export async function checkFiles(world: World, jobs: readonly TrackedJob[], { files }: Memory): Promise<string[]> {
  const violations: string[] = [];
  for (const job of jobs) {
    const event = job.latest();
    if (event?.status !== 'done') continue;
    try {
      violations.push(...(await verifyFile(job.kind, event)).map((fault) => `${about(job)}: ${fault}`));
    } catch (error) {
      violations.push(`${about(job)}: ${messageOf(error)}`);
    }
    const now = await fetchStatus(world, job);
    if (now?.output?.key !== event.output?.key) {
      violations.push(`${about(job)} was done with the file ${event.output?.key}, and now with ${now?.output?.key}`);
    } else recordFile(files, now);
  }
  return violations;
}

/** Requests the status of a job until it is answered; undefined if that takes too long. */
async function fetchStatus(world: World, { id }: TrackedJob) {
  let event: Awaited<ReturnType<typeof statusOf>>;
  await until(
    async () => {
      event = await statusOf(world.url, id).catch(ifBroken);
      return event !== undefined;
    },
    SWEEP_S,
    500,
  );
  return event;
}

/** Connections may break; anything else may not. */
function ifBroken(error: unknown): undefined {
  if (!isBroken(error)) throw error;
}

/** Jobs whose time is over by the clock must be gone; their files are no longer expected. */
export async function checkExpired(world: World, jobs: readonly TrackedJob[], memory: Memory): Promise<string[]> {
  const violations: string[] = [];
  for (const job of jobs) {
    memory.files.delete(job.latest()?.output?.key ?? '');
    const event = await fetchStatus(world, job);
    if (event?.status !== 'not_found') violations.push(`${about(job)} has expired and is still ${event?.status}`);
  }
  return violations;
}

/** Records the file of a job that is done. */
export function recordFile(files: Map<string, number>, event: StatusEvent | undefined): void {
  if (event?.output) files.set(event.output.key, Date.parse(event.expires_at));
}

/** Waits until the files are those of the jobs, with the help of an operator where the sweeps do not suffice. */
export async function settleStore(
  world: World,
  { files, open }: Memory,
): Promise<{ orphans: number; faults: string[] }> {
  const now = Date.now();
  for (const [key, expiresAt] of files) if (expiresAt < now - SWEEP_S * 1000) files.delete(key);
  let left = new Set<string>();
  const clean = async () => {
    for (const job of open) {
      const event = await statusOf(world.url, job.id).catch(ifBroken);
      if (event?.status !== 'done') continue;
      recordFile(files, event);
      open.delete(job);
    }
    left = (await world.files.keys()).difference(new Set(files.keys()));
    return left.size === 0;
  };
  const orphans = (await until(clean, SWEEP_S, 500)) ? 0 : left.size;
  if (orphans > 0) {
    // Reconciliation spares young files, and runs only once an hour.
    await world.files.age(left);
    await world.reconcile();
    await until(clean, SWEEP_S, 500);
  }
  const stored = await world.files.keys();
  const missing = [...files]
    .filter(([key, expiresAt]) => expiresAt > Date.now() && !stored.has(key))
    .map(([key]) => key);
  // They are reported once.
  for (const key of missing) files.delete(key);
  const faults = [
    ...(left.size === 0 ? [] : [`${left.size} files have no job: ${[...left].join(' ')}`]),
    ...(missing.length === 0 ? [] : [`${missing.length} jobs have no file: ${missing.join(' ')}`]),
  ];
  return { orphans, faults };
}

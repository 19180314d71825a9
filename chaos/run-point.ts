import { setTimeout as delay } from 'node:timers/promises';
import { pick } from '../lab/platforms/seeded.ts';
import { requestsWithToken } from '../test/support/lab-client.ts';
import {
  checkExpired,
  checkFiles,
  messageOf,
  nameOfJob,
  type RunMemory,
  recordFile,
  waitForStore,
} from './check-outcome.ts';
import { checkLostFile } from './damage-file.ts';
import { faultNamed } from './faults.ts';
import { type JobKindName, jobKindNames } from './job-kinds.ts';
import type { Scene } from './scene.ts';
import { durationOf, expiresJobs, type Point } from './schedule.ts';
import { stages } from './stages.ts';
import { startJob, type TrackedJob } from './tracked-job.ts';
import type { World } from './world.ts';

/**
 * Time limits in seconds: for a fault, and for the recovery after it, in which a job may stall twice and run three
 * times. In the short form, other work runs beside.
 */
const FAULT_LIMIT_S = 60;
const RECOVERY_LIMIT_S = 240;
const SHORT_RECOVERY_LIMIT_S = 540;
/** Time limit for one job of each kind without faults. */
const MEASURE_LIMIT_MS = 540_000;
/** Maximum bytes fetched for each byte needed, if only connections broke. */
const MAX_FETCH_RATIO = 1.1;

/** The result of a point. */
export interface PointResult {
  readonly point: Point;
  /** Description of the fault's target. */
  readonly hit: string;
  /** Whether a job was at the stage when the fault was injected. */
  readonly reached: boolean;
  readonly done: number;
  /** Error messages of the failed jobs. */
  readonly failed: readonly string[];
  /** Seconds from the end of the fault to the end of the last job; 0 if all had ended before. */
  readonly recovery: number;
  /** Bytes fetched for each byte needed. */
  readonly bytes: number;
  /** Number of files without a job that only reconciliation removed. */
  readonly orphans: number;
  readonly violations: readonly string[];
}

/** Runs each kind of job once without faults, and records the bytes that it needs. */
export async function measureKinds(world: World): Promise<RunMemory> {
  const jobs = jobKindNames.map((kind) => startJob(world.url, kind, false, AbortSignal.timeout(MEASURE_LIMIT_MS)));
  const files = new Map<string, number>();
  const bytesNeeded = new Map<JobKindName, number>();
  for (const job of jobs) {
    const end = await job.end;
    if (end?.event.status !== 'done')
      throw new Error(`without a fault, a job ended with ${JSON.stringify(end?.event)}`);
    recordFile(files, end.event);
    bytesNeeded.set(job.kind, await bytesFetched(world, [job]));
  }
  return { files, bytesNeeded, openJobs: new Set() };
}

/** Brings jobs to the stage, injects the fault, ends it, and checks the outcome. */
export async function runPoint(world: World, point: Point, memory: RunMemory): Promise<PointResult> {
  const violations: string[] = [];
  const limit = point.short ? SHORT_RECOVERY_LIMIT_S : RECOVERY_LIMIT_S;
  const giveUp = new AbortController();
  const stage = stages[point.stage];
  const rounds = Array.from({ length: stage.rounds }, () => jobKindNames).flat();
  const jobs = rounds.map((kind) => startJob(world.url, kind, stage.slowSource, giveUp.signal));
  const scene: Scene = {
    world,
    jobs,
    damagedJobs: new Map(),
    expires: expiresJobs(point),
    pick: (count, purpose) => pick(count, purpose, point.seed, point.number),
  };

  const { reached, hit } = await injectFault(scene, point, violations);
  const healedAt = performance.now();
  const timer = setTimeout(() => giveUp.abort(), limit * 1000);
  const ends = await Promise.all(jobs.map((job) => job.end));
  clearTimeout(timer);
  const last = Math.max(...ends.map((end) => end?.at ?? healedAt + limit * 1000));

  for (const job of jobs) violations.push(...job.faults, ...faultsOfEnd(job, point, limit));
  for (const [index, job] of jobs.entries()) {
    const end = ends[index];
    if (end === undefined) memory.openJobs.add(job);
    else recordFile(memory.files, end.event);
  }
  for (const [job, damage] of scene.damagedJobs) violations.push(...(await checkLostFile(world, job, damage, memory)));
  if (expiresJobs(point)) violations.push(...(await checkExpired(world, jobs, memory)));
  else violations.push(...(await checkFiles(world, jobs, memory)));
  const { orphans, faults } = await waitForStore(world, memory);
  violations.push(...faults);
  const bytes = await fetchRatio(world, jobs, memory);
  if (faultNamed(point.fault).connectionsOnly && bytes > MAX_FETCH_RATIO) {
    const each = jobs.map(async (job) => `${job.kind} ${(await fetchRatio(world, [job], memory)).toFixed(2)}`);
    violations.push(
      `${bytes.toFixed(2)} bytes were fetched for each one needed (${(await Promise.all(each)).join(', ')})`,
    );
  }
  return {
    point,
    hit,
    reached,
    done: jobs.filter((job) => job.latestEvent()?.status === 'done').length,
    failed: jobs.flatMap((job) =>
      job.latestEvent()?.status === 'failed' ? (job.latestEvent()?.error ?? 'no reason') : [],
    ),
    recovery: Math.max(0, (last - healedAt) / 1000),
    bytes,
    orphans,
    violations,
  };
}

/** Returns the result of a point that an unexpected error ended. */
export function failedPoint(point: Point, error: unknown): PointResult {
  const violations = [`the point could not be run: ${messageOf(error)}`];
  return { point, hit: 'nothing', reached: false, done: 0, failed: [], recovery: 0, bytes: 0, orphans: 0, violations };
}

/** Injects the fault at the stage, and ends it, even if the injection failed. */
async function injectFault(
  scene: Scene,
  point: Point,
  violations: string[],
): Promise<{ reached: boolean; hit: string }> {
  const { world } = scene;
  let isReached = false;
  let hit = 'nothing';
  try {
    isReached = await stages[point.stage].reach(scene);
    hit = await faultNamed(point.fault).strike(scene);
    await delay(Math.min(durationOf(point), FAULT_LIMIT_S * 1000));
  } catch (error) {
    violations.push(`the fault could not be injected: ${messageOf(error)}`);
  }
  const crashedNodes = await world
    .heal()
    .catch((error: unknown) => [`a node that could not be checked (${messageOf(error)})`]);
  if (crashedNodes.length > 0) violations.push(`${crashedNodes.join(' and ')} ended unexpectedly`);
  return { reached: isReached, hit };
}

/** Lists what is wrong with the end of a job. */
function faultsOfEnd(job: TrackedJob, point: Point, limit: number): string[] {
  const { status, error, error_code: code } = job.latestEvent() ?? {};
  if (status === 'done') return [];
  if (status === 'failed') {
    const isAllowed = isExpected(code) && faultNamed(point.fault).losesNothing !== true;
    return isAllowed ? [] : [`${nameOfJob(job)} failed with the code ${code}: ${error}`];
  }
  if (expiresJobs(point)) return [];
  const what = job.isAccepted() ? (status ?? 'without a status') : 'not accepted';
  return [`${nameOfJob(job)} is ${what} ${limit} s after the end of the fault`];
}

/**
 * Returns whether a job may fail with a code. `unexpected_error` is a fault of the service itself. `worker_lost` is not
 * expected either, because no job of a point kills its worker.
 */
function isExpected(code: string | null | undefined): boolean {
  return typeof code === 'string' && code !== 'unexpected_error' && code !== 'worker_lost';
}

/** Returns the bytes fetched for each byte that the jobs need. */
async function fetchRatio(world: World, jobs: readonly TrackedJob[], { bytesNeeded }: RunMemory): Promise<number> {
  return (await bytesFetched(world, jobs)) / jobs.reduce((sum, { kind }) => sum + (bytesNeeded.get(kind) ?? 0), 0);
}

async function bytesFetched({ labUrl }: World, jobs: readonly TrackedJob[]): Promise<number> {
  let bytes = 0;
  for (const token of jobs.flatMap(({ tokens }) => tokens)) {
    for (const { bytesSent } of await requestsWithToken(labUrl, token)) bytes += bytesSent;
  }
  return bytes;
}

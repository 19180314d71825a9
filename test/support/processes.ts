import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { putEmptyDatabase } from './empty-database.ts';
import { environmentOf } from './environment.ts';
import { freePort } from './free-port.ts';
import { stackSettings } from './storage-stack.ts';

/** Both only end what hangs: on a busy machine, a start has taken 55 s. */
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 120_000;
/** Keys that every service of the tests accepts. */
export const keys = {
  BASIC: 'test-basic-key',
  PRO: 'test-pro-key',
  ULTRA: 'test-ultra-key',
  MEGA: 'test-mega-key',
  render: 'test-render-key',
  otherRender: 'other-render-key',
};

/** Limits that no test reaches by accident; tests of limits set their own. */
const wideLimits = JSON.stringify(
  Object.fromEntries(
    ['BASIC', 'PRO', 'ULTRA', 'MEGA'].map((plan) => [
      plan,
      { credits: 1e9, requestsPerSecond: 1e6, startsPerSecond: 1e6, jobsAtOnce: 1e6 },
    ]),
  ),
);

/** A program under test. */
export interface RunningProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Returns its output so far. */
  output(): string;
  /** Stops it gracefully, and waits until it has ended. */
  stop(): Promise<void>;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
}

/** Another version or clock of the programs, or a start that does not wait for all dependencies. */
export interface LaunchOptions {
  /** Folder of the checkout whose programs run; default: this one. */
  readonly checkout?: string;
  /** Start time on the clock of the programs, in milliseconds since 1970; default: now. */
  readonly startingAt?: number;
  /** Seconds that pass on its clock in a real second; default: 1. Its timers and a database server use real seconds. */
  readonly clockRate?: number;
  /** The service counts as started once it responds, even if its store is away. */
  readonly unready?: boolean;
}

/** Returns the ID of a program's process. */
export function pidOf({ process: { pid } }: Pick<RunningProcess, 'process'>): number {
  if (pid === undefined) throw new Error('the program has no process ID');
  return pid;
}

/** Starts the lab. */
export async function startLab(
  settings: Record<string, string> = {},
  elsewhere: LaunchOptions = {},
): Promise<RunningProcess> {
  const port = await freePort();
  const environment = { LAB_PORT: String(port), LAB_CACHE: join('data', 'lab'), ...settings };
  const readyUrl = `http://127.0.0.1:${port}/_lab/requests?token=none`;
  return start(labProgram(elsewhere.checkout), environment, readyUrl, elsewhere);
}

/** Creates a folder for the data of a test's service. */
export async function temporaryFolder(parent = tmpdir()): Promise<{ path: string; delete(): Promise<void> }> {
  const path = await mkdtemp(join(parent, 'millrace-test-'));
  return { path, delete: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts the service against the lab. */
export async function startService(
  labUrl: string,
  dataDirectory: string,
  settings: Record<string, string> = {},
  elsewhere: LaunchOptions = {},
): Promise<RunningProcess> {
  const port = settings.PORT ?? String(await freePort());
  const environment: Record<string, string> = {
    PORT: port,
    DATA_DIR: dataDirectory,
    EXTRACTION_KEYS: (['BASIC', 'PRO', 'ULTRA', 'MEGA'] as const).map((plan) => `${plan}:${keys[plan]}`).join(','),
    RENDER_KEYS: `${keys.render},${keys.otherRender}`,
    EGRESS_CONNECT_TO: `*=${labUrl}`,
    // Tests share the service, and faults in one of them must not affect the others.
    BREAKER: 'off',
    EGRESS_PACE: 'off',
    PLAN_LIMITS: wideLimits,
    WEB_KEY: keys.MEGA,
    WEB_RATE: '100000/100000',
    WEB_JOBS: '100000/100000',
    JOB_RATE: '200000/200000',
    WORKER_CONCURRENCY: '4',
    // Jobs left running by a test are not worth waiting for.
    DRAIN_TIMEOUT: '1',
    LOG_LEVEL: 'info',
    ...(await stackSettings(dataDirectory)),
    ...settings,
  };
  const begins = !environment.DATABASE_URL && (await isEmpty(dataDirectory));
  if (begins && elsewhere.checkout === undefined) await putEmptyDatabase(dataDirectory);
  const health = elsewhere.unready === true ? '/health/live' : '/health';
  return start(serviceProgram(elsewhere.checkout), environment, `http://127.0.0.1:${port}${health}`, elsewhere);
}

const serviceProgram = (checkout?: string) =>
  programOf(join('dist', 'bin', 'service.js'), join('src', 'main.ts'), checkout);
const labProgram = (checkout?: string) => programOf(join('dist', 'lab', 'main.js'), join('lab', 'main.ts'), checkout);

/** Versions before 0.2.0 run from their sources. */
function programOf(built: string, source: string, checkout: string | undefined): string {
  return checkout === undefined || existsSync(join(checkout, built)) ? built : source;
}

async function isEmpty(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length === 0;
}

async function start(
  program: string,
  settings: Record<string, string>,
  readyUrl: string,
  { checkout, startingAt, clockRate }: LaunchOptions,
): Promise<RunningProcess> {
  const clock = { begin: startingAt ?? Date.now(), rate: clockRate ?? 1 };
  const isReal = startingAt === undefined && clockRate === undefined;
  const clockFlags = isReal ? [] : ['--import', otherClock(clock)];
  const child = spawn(process.execPath, [...clockFlags, program], {
    ...(checkout === undefined ? {} : { cwd: checkout }),
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-200_000);
    });
  }
  const running: RunningProcess = {
    url: new URL(readyUrl).origin,
    process: child,
    output: () => text,
    stop: () => end(child, 'SIGTERM', program, () => text),
    kill: () => end(child, 'SIGKILL', program, () => text),
  };
  await untilReady(running, program, readyUrl);
  return running;
}

/**
 * Returns the URL of a module that replaces the clock of the program that imports it. The new clock starts at a given
 * time and runs at a given rate.
 */
function otherClock({ begin, rate }: { readonly begin: number; readonly rate: number }): string {
  const source = `const Real = Date;
    const started = Real.now();
    const now = () => ${begin} + Math.floor((Real.now() - started) * ${rate});
    globalThis.Date = class Date extends Real {
      constructor(...parts) { if (parts.length === 0) super(now()); else super(...parts); }
      static now() { return now(); }
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

async function untilReady({ process: child, output }: RunningProcess, program: string, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${output()}`);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      await response.body?.cancel();
      if (response.ok) return;
    } catch (error) {
      // The program does not listen yet; any other error is reported at the deadline.
      if (Date.now() + 200 > deadline) {
        child.kill('SIGKILL');
        throw error;
      }
    }
    await delay(50);
  }
  child.kill('SIGKILL');
  throw new Error(`${program} was not ready in ${START_TIMEOUT_MS / 1000} s:\n${output()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals, program: string, output: () => string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  const late = Symbol('late');
  if ((await Promise.race([exit, delay(STOP_TIMEOUT_MS, late, { ref: false })])) !== late) return;
  child.kill('SIGKILL');
  throw new Error(`${program} did not stop in ${STOP_TIMEOUT_MS / 1000} s after ${signal}:\n${output()}`);
}

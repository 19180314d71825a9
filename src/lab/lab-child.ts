import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { withTimeout } from '../waiting/with-timeout.ts';

/** The parts of the service's log that the lab uses. */
export interface LabLog {
  warn(fields: object, message: string): void;
}

/** How the lab is started. */
interface LabChildOptions {
  /** Path of the program. */
  readonly program: string;
  /** Folder of the generated media. */
  readonly cacheDirectory: string;
  /** Port to listen on; 0 for any free port. */
  readonly port: number;
  readonly log: LabLog;
  /** Ends the start. */
  readonly signal: AbortSignal;
}

/** One process of the lab, which is ready. */
export interface LabChild {
  readonly port: number;
  /** Settles when the process has ended, with the exit code or the name of the signal. */
  readonly ended: Promise<string>;
  /** Ends the process, and kills it if it does not end in time. */
  stop(): Promise<void>;
}

/** Maximum size of the generated media in bytes. */
const cacheLimit = 1_000_000_000;
/** Maximum size of the heap in MiB. */
const heapLimit = 256;
/** Milliseconds within which the lab must be ready. It has a lower priority than the service, which may start too. */
const startLimit = 120_000;
/** Milliseconds within which the lab must end. */
const stopLimit = 3_000;
/** Maximum number of characters of a line that is logged. */
const maxLineLength = 1_000;

/**
 * Starts a process of the lab and waits until it is ready. The process has an empty environment except for its own
 * settings, and ends when this process ends, because their IPC channel closes.
 *
 * @throws Error if the process ends or is not ready in time; the signal's reason.
 */
export async function startLabChild(options: LabChildOptions): Promise<LabChild> {
  const { program, cacheDirectory, port, log, signal } = options;
  signal.throwIfAborted();
  const child = spawn(process.execPath, [`--max-old-space-size=${heapLimit}`, program], {
    env: {
      LAB_PORT: `${port}`,
      LAB_CACHE: cacheDirectory,
      LAB_CACHE_LIMIT: `${cacheLimit}`,
      LAB_PREPARE: 'background',
      LAB_CONTROL: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the lab was started without pipes');
  const ended = endOf(child);
  lowerPriority(child);
  forward(stderr, log);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const early = ended.then((how) => Promise.reject(new Error(`the lab ended before it was ready (${how})`)));
    const ready = await withTimeout(Promise.race([readReadyLine(stdout), early]), startLimit);
    return { port: ready, ended, stop: () => stop(child, ended) };
  } catch (error) {
    kill();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/** Lets the service and its engine take precedence over the lab and the processes that generate its media. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, which its exit reports.
  }
}

function forward(output: Readable, log: LabLog): void {
  createInterface(output).on('line', (line) => log.warn({ line: line.slice(0, maxLineLength) }, 'output of the lab'));
}

/** Reads the port from the first line of the lab's output, and ignores the rest. */
async function readReadyLine(output: Readable): Promise<number> {
  const lines = createInterface(output);
  const line = await new Promise<string>((resolve) => lines.once('line', resolve));
  const { port } = Object(JSON.parse(line)) as { readonly port?: unknown };
  if (typeof port !== 'number') throw new Error('the first line of the lab has no port');
  return port;
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.connected) child.disconnect();
  await withTimeout(ended, stopLimit).catch(() => child.kill('SIGKILL'));
  await ended;
}

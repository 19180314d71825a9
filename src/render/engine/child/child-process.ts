import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { MillraceError } from '../../../contract/errors.ts';
import { namesOpenLimit, openLimit, smallerRemedy, unloadedRemedy } from '../errors/limits-reached.ts';
import {
  type ChildMessage,
  type ChildReport,
  type ChildTask,
  maxMessageBytes,
  type Restrictions,
} from '../protocol/messages.ts';
import { parseChildMessage } from '../protocol/parse-message.ts';
import type { Launch } from '../sandbox/launcher.ts';
import { Growth, tellGrowth } from '../tasks/growing-files.ts';

/** Where the parent writes what children said. */
export interface ChildLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** How a child is started. */
export interface ChildStart extends Pick<Launch, 'command' | 'directory' | 'env' | 'ownProcesses' | 'descriptors'> {
  /** Called when the child has loaded all its code, before it gets a task. */
  readonly onReady: (restrictions: Restrictions) => void;
  readonly log: ChildLog;
}

/** How a task is watched while a child works on it. */
export interface TaskWatch {
  readonly signal: AbortSignal;
  /** Milliseconds after which the child is killed; they count from when all inputs are there. */
  readonly timeLimit: number;
  readonly onProgress: (fraction: number) => void;
  /** Growth of the files that are still arriving. */
  readonly growth?: Growth | undefined;
  /** Whether the child can already read a growing file, by its number in the task; default: always. */
  readonly admitted?: ((file: number) => boolean) | undefined;
}

/** Where a child writes its messages. */
const messagePipe = 3;
/** Bytes that one child may say in all its messages: progress ten times a second for a day stays below. */
const maxSaidBytes = 64 * 1024 * 1024;
/** Bytes of a child's standard output and error that are kept for the log. */
const keptOutputBytes = 8 * 1024;
/** Milliseconds that Node and the media library have to load. */
const startLimit = 15_000;
/** Milliseconds that the process outside a namespace may take to end after the first one inside was killed. */
const outsideLimit = 5_000;
/** Milliseconds that the pipes of a dead child may take to close. */
const drainLimit = 250;

/**
 * A process of its own that carries out one task and is killed then. It is told its task on standard input, whose end
 * means to it that the service is gone, and answers on file descriptor 3, a plain pipe: Node's own channel would buffer
 * a line of any length that a hijacked child sends.
 */
export class EngineChild {
  /** Settles when the child is dead. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #start: ChildStart;
  #output = '';
  #unread = Buffer.alloc(0);
  #saidBytes = 0;
  #alive = true;
  #ready = false;
  #outcome: { readonly report: ChildReport } | { readonly error: unknown } | undefined;
  #onReady: () => void = () => undefined;
  #onProgress: (fraction: number) => void = () => undefined;

  /** Starts a child. */
  constructor(start: ChildStart) {
    this.#start = start;
    const [file = '', ...args] = start.command;
    this.#process = spawn(file, args, {
      cwd: start.directory,
      env: start.env,
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...start.descriptors],
    });
    this.exited = this.#watch();
    this.#hold(false);
  }

  /** Whether a task can still be given to it. */
  get usable(): boolean {
    return this.#alive && this.#outcome === undefined;
  }

  /** Process id, for tests and logs. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Settles when the child has loaded all it needs, or is dead. */
  async ready(): Promise<void> {
    if (this.#ready || !this.usable) return;
    const late = new MillraceError('processing_failed', 'The media engine did not start in time. Try again.');
    const timer = setTimeout(() => this.stop(late), startLimit);
    await Promise.race([new Promise<void>((resolve) => (this.#onReady = resolve)), this.exited]);
    clearTimeout(timer);
  }

  /**
   * Gives the child its task. Settles when the child is dead.
   *
   * @throws MillraceError as the child reports it, `processing_failed` when it dies by itself or talks nonsense,
   *   `processing_timeout`; the signal's reason.
   */
  async perform(task: ChildTask, watch: TaskWatch): Promise<ChildReport> {
    const { signal, timeLimit, onProgress, growth = new Growth([]) } = watch;
    this.#hold(true);
    const abort = () => this.stop(signal.reason);
    let timer: NodeJS.Timeout | undefined;
    const stopWaiting = growth.follow(() => {
      if (growth.whole) timer ??= setTimeout(() => this.stop(tooLong(timeLimit)), timeLimit);
    });
    let stopTelling: () => void = () => undefined;
    signal.addEventListener('abort', abort);
    this.#onProgress = onProgress;
    try {
      if (signal.aborted) abort();
      await this.ready();
      const { stdin } = this.#process;
      if (this.usable && stdin !== null) {
        stdin.write(`${JSON.stringify(task)}\n`);
        stopTelling = tellGrowth(growth, stdin, watch.admitted ?? (() => true));
      }
      await this.exited;
    } finally {
      stopTelling();
      stopWaiting();
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
    const outcome = this.#outcome;
    if (outcome === undefined) throw new Error('a child ended without an outcome');
    if ('error' in outcome) throw outcome.error;
    return outcome.report;
  }

  /** Kills the child; what it was doing ends with `error`. */
  stop(error: unknown): void {
    this.#hold(true);
    this.#settle({ error });
  }

  #settle(outcome: { readonly report: ChildReport } | { readonly error: unknown }): void {
    this.#outcome ??= outcome;
    // It leads a process group of its own; on Windows there is none, and the child alone is killed.
    if (this.#alive && this.#process.pid !== undefined) killTree(this.#process, this.#start.ownProcesses);
  }

  async #watch(): Promise<void> {
    const child = this.#process;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.stdout?.on('data', (chunk: Buffer) => this.#keep(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#keep(chunk));
    pipesOf(child)[messagePipe]?.on('data', (chunk: Buffer) => this.#hear(chunk));
    // A pipe that breaks means that the child is dead, and that is told by its exit.
    for (const pipe of pipesOf(child)) pipe.on('error', () => undefined);
    const ended = await new Promise<(output: string) => Ending>((resolve) => {
      child.once('error', ({ message }) => resolve(() => unstarted(message)));
      child.once('exit', (code, signal) => resolve((output) => describeEnd(code, signal, output)));
    });
    this.#alive = false;
    const drained = setTimeout(() => {
      for (const pipe of pipesOf(child)) pipe.destroy();
    }, drainLimit);
    if (child.pid !== undefined) await closed;
    clearTimeout(drained);
    const { how, remedy = 'Start the job again.', ...verdict } = ended(this.#output);
    this.#report(how);
    this.#outcome ??= {
      error: new MillraceError('processing_failed', `The media engine ${how}. ${remedy}`, verdict),
    };
  }

  #report(ending: string): void {
    const output = this.#output.replace(killedNoise, '');
    const fields = { pid: this.#process.pid, output };
    if (this.#outcome === undefined) this.#start.log.warn(fields, `a media engine child ${ending}`);
    else if (output !== '') this.#start.log.debug(fields, 'what a media engine child printed');
  }

  #keep(chunk: Buffer): void {
    this.#output = (this.#output + chunk.toString('utf8')).slice(-keptOutputBytes);
  }

  #hear(chunk: Buffer): void {
    if (!this.usable) return;
    try {
      this.#saidBytes += chunk.length;
      this.#unread = Buffer.concat([this.#unread, chunk]);
      for (let end = this.#unread.indexOf('\n'); end >= 0 && this.usable; end = this.#unread.indexOf('\n')) {
        const line = this.#unread.subarray(0, end).toString('utf8');
        this.#unread = this.#unread.subarray(end + 1);
        this.#take(parseChildMessage(line));
      }
      if (this.#unread.length > maxMessageBytes || this.#saidBytes > maxSaidBytes) {
        throw new MillraceError('processing_failed', 'The media engine talked too much and was stopped.');
      }
    } catch (error) {
      this.stop(error);
    }
  }

  #take(message: ChildMessage): void {
    switch (message.type) {
      case 'ready':
        if (!this.#ready) this.#start.onReady(message);
        this.#ready = true;
        this.#onReady();
        break;
      case 'progress':
        this.#onProgress(message.fraction);
        break;
      case 'done':
        this.#settle({ report: message.report });
        break;
      case 'failed': {
        const { type, code, message: text, ...optional } = message;
        this.stop(new MillraceError(code, text, optional));
      }
    }
  }

  /** Whether the child keeps the service's event loop alive: only one that works does. */
  #hold(held: boolean): void {
    for (const handle of [this.#process, ...pipesOf(this.#process)]) {
      if (handle === this.#process || handle instanceof Socket) held ? handle.ref() : handle.unref();
    }
  }
}

/** The pipes of a child; none if there were no descriptors left to start it. */
function pipesOf(child: ChildProcess): readonly (Readable | Writable)[] {
  const { stdio }: { stdio?: ChildProcess['stdio'] } = child;
  return (stdio ?? []).flatMap((pipe) => pipe ?? []);
}

/** What unshare(1) of util-linux 2.38 prints whenever the process inside was killed. */
const killedNoise = 'unshare: sigprocmask unblock failed: Invalid argument\n';

/**
 * Kills a child and all its processes. A process namespace ends with its first process. The process outside, whose end the
 * service sees, waits until all processes inside have ended.
 */
function killTree(child: ChildProcess, ownProcesses: boolean): void {
  const first = ownProcesses && child.pid !== undefined ? firstInside(child.pid) : undefined;
  if (first !== undefined && tryKill(first)) {
    // The process outside then ends by itself, unless it is stopped.
    if (child.pid !== undefined) wake(child.pid);
    const late = setTimeout(() => killGroup(child), outsideLimit);
    child.once('exit', () => clearTimeout(late));
    return;
  }
  killGroup(child);
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already. What is left is the child itself, below, and that one may be gone too.
  }
  child.kill('SIGKILL');
}

/** The only child of the process that created a namespace; `undefined` before there is one. See proc(5). */
function firstInside(outside: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${outside}/task/${outside}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return first === undefined ? undefined : Number(first);
  } catch {
    // It has ended, or the kernel does not list children: its group is killed instead.
    return undefined;
  }
}

function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It is gone already.
  }
}

function tryKill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, or the service may not signal it: its group is killed instead.
    return false;
  }
}

const crashes = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);

/** The signal in a shell's exit code: 128 plus its number, as most shells report it. */
function signalOf(code: number | null): NodeJS.Signals | null {
  const names = Object.entries(constants.signals).filter(([, number]) => code === 128 + number);
  return (names[0]?.[0] as NodeJS.Signals | undefined) ?? null;
}

/** How a child ended by itself. */
interface Ending {
  /** Completes a sentence that begins with "The media engine". */
  readonly how: string;
  /** What to do. */
  readonly remedy?: string;
  /** Whether the same job can succeed later. */
  readonly retryable?: boolean;
}

/** What Node, V8 and the C++ library print before they abort because memory ran out. */
const outOfMemory = /out of memory|allocation failed|bad_alloc/i;

const unloaded = `${unloadedRemedy} If it fails again, the file needs too much memory.`;

/**
 * Describes why a child ended, from its signal and its output.
 *
 * An abort is deliberate. Node, V8 and the C++ library print that memory ran out. The media library prints nothing: one
 * of its assertions failed, and the same file will make it fail again.
 */
function describeEnd(code: number | null, ended: NodeJS.Signals | null, output: string): Ending {
  const signal = ended ?? signalOf(code);
  if (signal === null) {
    if (namesOpenLimit(output)) return { how: openLimit, remedy: unloadedRemedy };
    return { how: `ended unexpectedly (exit code ${code ?? 'unknown'})` };
  }
  if (crashes.has(signal)) {
    return { how: `crashed (${signal})`, remedy: 'Start the job again. If it crashes again, an input may be damaged.' };
  }
  if (outOfMemory.test(output)) return { how: `ran out of memory (${signal})`, remedy: unloaded };
  switch (signal) {
    case 'SIGABRT':
      return {
        how: 'failed an internal check (SIGABRT): it cannot read an input, or cannot write this result',
        remedy: 'The same job will fail again. Use another source or output.ext, or change copyStreams.',
        retryable: false,
      };
    case 'SIGXFSZ':
      return {
        how: 'was stopped because its result grew too large (SIGXFSZ)',
        remedy: smallerRemedy,
        retryable: false,
      };
    case 'SIGXCPU':
      return { how: 'exceeded its limit of processor time (SIGXCPU)' };
    case 'SIGKILL':
      return { how: 'was killed by the system (SIGKILL) for lack of memory or processor time', remedy: unloaded };
    default:
      return { how: `was stopped by a signal (${signal})` };
  }
}

function unstarted(message: string): Ending {
  const how = `could not be started: ${message}`;
  return namesOpenLimit(message) ? { how, remedy: unloadedRemedy } : { how };
}

function tooLong(timeLimit: number): MillraceError {
  const minutes = timeLimit / 60_000;
  const length = minutes >= 2 ? `${Math.round(minutes)} minutes` : `${timeLimit / 1000} seconds`;
  return new MillraceError('processing_timeout', `Processing took longer than ${length} and was stopped.`);
}

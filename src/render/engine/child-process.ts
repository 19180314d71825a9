import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { MillraceError } from '../../contract/errors.ts';
import { Growth, tellGrowth } from './growth.ts';
import { type ChildMessage, type ChildReport, type ChildTask, maxMessageBytes } from './messages.ts';
import { parseChildMessage } from './parse-message.ts';
import type { ChildPlace, Sandbox } from './sandbox.ts';

/** Where the parent writes what children said. */
export interface ChildLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** How a task is watched while a child works on it. */
export interface TaskWatch {
  readonly signal: AbortSignal;
  /** Milliseconds after which the child is killed; they count from when all inputs are there. */
  readonly timeLimit: number;
  readonly onProgress: (fraction: number) => void;
  /** How inputs grow that are still arriving. */
  readonly growth?: Growth | undefined;
}

/** Bytes that one child may say in all its messages: progress ten times a second for a day stays below. */
const maxSaidBytes = 64 * 1024 * 1024;
/** Bytes of a child's standard output and error that are kept for the log. */
const keptOutputBytes = 8 * 1024;
/** Milliseconds that Node and the media library have to load. */
const startLimit = 15_000;
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
  readonly #sandbox: Sandbox;
  readonly #place: ChildPlace;
  readonly #log: ChildLog;
  #output = '';
  #unread = Buffer.alloc(0);
  #saidBytes = 0;
  #alive = true;
  #ready = false;
  #outcome: { readonly report: ChildReport } | { readonly error: unknown } | undefined;
  #onReady: () => void = () => undefined;
  #onProgress: (fraction: number) => void = () => undefined;

  /** Starts `command` inside the sandbox. */
  constructor(command: readonly string[], sandbox: Sandbox, place: ChildPlace, log: ChildLog) {
    this.#sandbox = sandbox;
    this.#place = place;
    this.#log = log;
    const [file = '', ...args] = sandbox.wrap(command);
    this.#process = spawn(file, args, {
      cwd: place.directory,
      // Nothing of the service's own. Each arena of the C library reserves 64 MiB of the address space.
      env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: place.modules },
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
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
      if (this.usable) await this.#confine(task.directory);
      const { stdin } = this.#process;
      if (this.usable && stdin !== null) {
        stdin.write(`${JSON.stringify(task)}\n`);
        stopTelling = tellGrowth(growth, stdin);
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

  async #confine(directory: string): Promise<void> {
    const { pid } = this.#process;
    try {
      if (pid !== undefined) await this.#sandbox.confine(pid, directory, this.#place);
    } catch (error) {
      this.stop(error);
    }
  }

  #settle(outcome: { readonly report: ChildReport } | { readonly error: unknown }): void {
    this.#outcome ??= outcome;
    // It leads a process group of its own; on Windows there is none, and the child alone is killed.
    if (this.#alive && this.#process.pid !== undefined) killTree(this.#process);
  }

  async #watch(): Promise<void> {
    const child = this.#process;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.stdout?.on('data', (chunk: Buffer) => this.#keep(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#keep(chunk));
    child.stdio[3]?.on('data', (chunk: Buffer) => this.#hear(chunk));
    // A pipe that breaks means that the child is dead, and that is told by its exit.
    for (const pipe of child.stdio) pipe?.on('error', () => undefined);
    const ending = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => resolve(describeEnd(code, signal)));
    });
    this.#alive = false;
    const drained = setTimeout(() => {
      for (const pipe of child.stdio) pipe?.destroy();
    }, drainLimit);
    if (child.pid !== undefined) await closed;
    clearTimeout(drained);
    this.#report(ending);
    this.#outcome ??= { error: new MillraceError('processing_failed', `The media engine ${ending}. Try again.`) };
  }

  #report(ending: string): void {
    const fields = { pid: this.#process.pid, output: this.#output };
    if (this.#outcome === undefined) this.#log.warn(fields, `a media engine child ${ending}`);
    else if (this.#output !== '') this.#log.debug(fields, 'what a media engine child printed');
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
        const { code, message: text, reason } = message;
        this.stop(new MillraceError(code, text, reason === undefined ? {} : { reason }));
      }
    }
  }

  /** Whether the child keeps the service's event loop alive: only one that works does. */
  #hold(held: boolean): void {
    for (const handle of [this.#process, ...this.#process.stdio]) {
      if (handle === this.#process || handle instanceof Socket) held ? handle.ref() : handle.unref();
    }
  }
}

function killTree(child: ChildProcess): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already. What is left is the child itself, below, and that one may be gone too.
  }
  child.kill('SIGKILL');
}

const crashes = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);

/** Why a child ended by itself, in words that go on after "The media engine". */
function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null) return `ended unexpectedly (exit code ${code ?? 'unknown'})`;
  if (crashes.has(signal)) return `crashed (${signal}); the input may be damaged`;
  if (signal === 'SIGABRT') return 'gave up (SIGABRT), most likely for want of memory';
  if (signal === 'SIGXFSZ') return 'was stopped because its result grew too large (SIGXFSZ)';
  if (signal === 'SIGXCPU') return 'used more processor time than it may (SIGXCPU)';
  if (signal === 'SIGKILL') return 'was killed by the system (SIGKILL), for want of memory or processor time';
  return `was stopped by a signal (${signal})`;
}

function tooLong(timeLimit: number): MillraceError {
  const minutes = timeLimit / 60_000;
  const length = minutes >= 2 ? `${Math.round(minutes)} minutes` : `${timeLimit / 1000} seconds`;
  return new MillraceError('processing_timeout', `Processing took longer than ${length} and was stopped.`);
}

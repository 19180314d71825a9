import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { MillraceError } from '../../../contract/errors.ts';
import { type ChildMessage, type ChildReport, type ChildTask, maxMessageBytes } from '../protocol/messages.ts';
import { parseChildMessage } from '../protocol/parse-message.ts';
import type { Launch } from '../sandbox/launcher.ts';
import type { Restrictions } from '../self-restriction/restrictions.ts';
import { GrowingFiles, reportArrivedRanges } from '../tasks/growing-files.ts';
import { describeExit, describeSpawnError, type ExitReason } from './exit-reason.ts';
import { killProcessTree, unshareNoise } from './kill-process-tree.ts';

/** The parent's log for child output and crashes. */
export interface ChildLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** How a child is started. */
interface ChildOptions extends Pick<Launch, 'command' | 'directory' | 'env' | 'processNamespace' | 'descriptors'> {
  /** Called when the child has loaded all its code, before it receives a task. */
  readonly onReady: (restrictions: Restrictions) => void;
  readonly log: ChildLog;
}

/** How a child's task is monitored. */
interface TaskOptions {
  readonly signal: AbortSignal;
  /** Milliseconds after which the child is killed, counted from the arrival of all inputs. */
  readonly timeLimit: number;
  readonly onProgress: (fraction: number) => void;
  /** The files that are still being downloaded. */
  readonly growingFiles?: GrowingFiles | undefined;
  /** Whether the child can already read a growing file, by its number in the task. Default: always. */
  readonly isReadable?: ((file: number) => boolean) | undefined;
  /** Default: the log that the child was started with. */
  readonly log?: ChildLog | undefined;
}

/** File descriptor on which a child writes its messages. */
const messagePipe = 3;
/** Maximum size of all messages from one child, in bytes. Ten progress reports per second for a day stay below it. */
const maxTotalMessageBytes = 64 * 1024 * 1024;
/** Number of bytes of a child's standard output and error that are kept for the log. */
const maxLogBytes = 8 * 1024;
/** Milliseconds within which Node and the media library must load. */
const startLimit = 15_000;
/** Milliseconds within which the pipes of a dead child must close. */
const drainLimit = 250;

/**
 * A child process that carries out one task and is then killed. The child reads its task from standard input; the end
 * of that input means that the service has stopped. It reports on file descriptor 3, a plain pipe, because Node's own
 * channel would buffer a line of any length from a compromised child.
 */
export class EngineChild {
  /** Settles when the child is dead. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #options: ChildOptions;
  #log: ChildLog;
  #output = '';
  #unread = Buffer.alloc(0);
  #messageBytes = 0;
  #alive = true;
  #ready = false;
  #outcome: { readonly report: ChildReport } | { readonly error: unknown } | undefined;
  #onReady: () => void = () => undefined;
  #onProgress: (fraction: number) => void = () => undefined;

  /** Starts a child. */
  constructor(options: ChildOptions) {
    this.#options = options;
    this.#log = options.log;
    const [file = '', ...args] = options.command;
    this.#process = spawn(file, args, {
      cwd: options.directory,
      env: options.env,
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...options.descriptors],
    });
    this.exited = this.#watch();
    this.#keepAlive(false);
  }

  /** Whether the child can still accept a task. */
  get isUsable(): boolean {
    return this.#alive && this.#outcome === undefined;
  }

  /** Process ID for tests and logs. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Settles when the child has loaded its code, or is dead. */
  async ready(): Promise<void> {
    if (this.#ready || !this.isUsable) return;
    const startTimeout = new MillraceError('processing_failed', 'The media engine did not start in time. Try again.');
    const timer = setTimeout(() => this.stop(startTimeout), startLimit);
    await Promise.race([new Promise<void>((resolve) => (this.#onReady = resolve)), this.exited]);
    clearTimeout(timer);
  }

  /**
   * Sends the child its task. Settles when the child is dead.
   *
   * @throws MillraceError as reported by the child; `processing_failed` when the child dies unexpectedly or sends an
   * invalid message; `processing_timeout`; or the signal's reason.
   */
  async perform(task: ChildTask, options: TaskOptions): Promise<ChildReport> {
    const { signal, timeLimit, onProgress, growingFiles = new GrowingFiles([]) } = options;
    this.#keepAlive(true);
    this.#log = options.log ?? this.#log;
    const abort = () => this.stop(signal.reason);
    let timer: NodeJS.Timeout | undefined;
    const stopWaiting = growingFiles.subscribe(() => {
      if (growingFiles.whole) timer ??= setTimeout(() => this.stop(timeoutError(timeLimit)), timeLimit);
    });
    let stopReporting: () => void = () => undefined;
    signal.addEventListener('abort', abort);
    this.#onProgress = onProgress;
    try {
      if (signal.aborted) abort();
      await this.ready();
      const { stdin } = this.#process;
      if (this.isUsable && stdin !== null) {
        stdin.write(`${JSON.stringify(task)}\n`);
        stopReporting = reportArrivedRanges(growingFiles, stdin, options.isReadable ?? (() => true));
      }
      await this.exited;
    } finally {
      stopReporting();
      stopWaiting();
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
    const outcome = this.#outcome;
    if (outcome === undefined) throw new Error('a child ended without an outcome');
    if ('error' in outcome) throw outcome.error;
    return outcome.report;
  }

  /** Kills the child and fails its current task with `error`. */
  stop(error: unknown): void {
    this.#keepAlive(true);
    this.#settle({ error });
  }

  #settle(outcome: { readonly report: ChildReport } | { readonly error: unknown }): void {
    this.#outcome ??= outcome;
    // The child leads its own process group. Windows has no process groups, so only the child is killed there.
    if (this.#alive && this.#process.pid !== undefined) killProcessTree(this.#process, this.#options.processNamespace);
  }

  async #watch(): Promise<void> {
    const child = this.#process;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.stdout?.on('data', (chunk: Buffer) => this.#appendOutput(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#appendOutput(chunk));
    pipesOf(child)[messagePipe]?.on('data', (chunk: Buffer) => this.#readMessages(chunk));
    // A broken pipe means that the child is dead, which its exit event reports.
    for (const pipe of pipesOf(child)) pipe.on('error', () => undefined);
    const exitReason = await new Promise<(output: string) => ExitReason>((resolve) => {
      child.once('error', ({ message }) => resolve(() => describeSpawnError(message)));
      child.once('exit', (code, signal) => resolve((output) => describeExit(code, signal, output)));
    });
    this.#alive = false;
    const drainTimer = setTimeout(() => {
      for (const pipe of pipesOf(child)) pipe.destroy();
    }, drainLimit);
    if (child.pid !== undefined) await closed;
    clearTimeout(drainTimer);
    const { how, remedy = 'Start the job again.', ...retryability } = exitReason(this.#output);
    this.#logExit(how);
    this.#outcome ??= {
      error: new MillraceError('processing_failed', `The media engine ${how}. ${remedy}`, retryability),
    };
  }

  #logExit(how: string): void {
    const output = this.#output.replace(unshareNoise, '');
    const fields = { pid: this.#process.pid, output };
    if (this.#outcome === undefined) this.#log.warn(fields, `a media engine child ${how}`);
    else if (output !== '') this.#log.debug(fields, 'output of a media engine child');
  }

  #appendOutput(chunk: Buffer): void {
    this.#output = (this.#output + chunk.toString('utf8')).slice(-maxLogBytes);
  }

  #readMessages(chunk: Buffer): void {
    if (!this.isUsable) return;
    try {
      this.#messageBytes += chunk.length;
      this.#unread = Buffer.concat([this.#unread, chunk]);
      for (let end = this.#unread.indexOf('\n'); end >= 0 && this.isUsable; end = this.#unread.indexOf('\n')) {
        const line = this.#unread.subarray(0, end).toString('utf8');
        this.#unread = this.#unread.subarray(end + 1);
        this.#handleMessage(parseChildMessage(line));
      }
      if (this.#unread.length > maxMessageBytes || this.#messageBytes > maxTotalMessageBytes) {
        throw new MillraceError(
          'processing_failed',
          'The media engine sent too much data and was stopped. Start the job again.',
        );
      }
    } catch (error) {
      this.stop(error);
    }
  }

  #handleMessage(message: ChildMessage): void {
    switch (message.type) {
      case 'ready':
        if (!this.#ready) this.#options.onReady(message);
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

  /** Sets whether the child keeps the service's event loop alive. Only a busy child does. */
  #keepAlive(busy: boolean): void {
    for (const handle of [this.#process, ...pipesOf(this.#process)]) {
      if (handle === this.#process || handle instanceof Socket) busy ? handle.ref() : handle.unref();
    }
  }
}

/** Returns the pipes of a child; empty if there were no file descriptors left to start it. */
function pipesOf(child: ChildProcess): readonly (Readable | Writable)[] {
  const { stdio }: { stdio?: ChildProcess['stdio'] } = child;
  return (stdio ?? []).flatMap((pipe) => pipe ?? []);
}

function timeoutError(timeLimit: number): MillraceError {
  const minutes = timeLimit / 60_000;
  const length = minutes >= 2 ? `${Math.round(minutes)} minutes` : `${timeLimit / 1000} seconds`;
  return new MillraceError('processing_timeout', `Processing took longer than ${length} and was stopped.`);
}

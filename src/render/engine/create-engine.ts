import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MillraceError } from '../../contract/errors.ts';
import { type ChildLog, EngineChild } from './child-process.ts';
import { containers, isContainer } from './containers.ts';
import type { Engine, ProcessCall, ProcessTask } from './engine.ts';
import { type ChildReport, type ChildTask, packFinish } from './messages.ts';
import { createSandbox } from './sandbox.ts';
import { makeScratch } from './scratch.ts';

/** How an engine is set up. */
export interface EngineOptions {
  /** Children that wait, loaded and ready, for a task; default 1. */
  readonly spares?: number;
  /** The service's data directory, hidden from children but for their task's directory. It must exist. */
  readonly dataDirectory?: string;
  /** Bytes of address space of one child; default 4 GiB, of which Node reserves 1.6 GB. */
  readonly memoryBytes?: number;
  /** Milliseconds that an operation may take; default one hour. */
  readonly processTimeout?: number;
  /** Milliseconds that a probe may take; default two minutes. */
  readonly probeTimeout?: number;
  /** Threads of each decoder and encoder; default as many as the machine runs at once, 4 at most. */
  readonly threads?: number;
  readonly log?: ChildLog;
}

/** Bytes of any file a child writes: above every limit a task can set, so it stops only what escaped that. */
const maxFileBytes = 16 * 1024 ** 3;

/**
 * Node strips types with a WebAssembly module, for which V8 sets 10 GB of address space aside, or all there is. These
 * keep that to 64 MiB, so that the limit leaves room for media.
 */
const nodeOptions = ['--disable-wasm-trap-handler', '--wasm-max-mem-pages=1024', '--max-old-space-size=512'];

/** Starts with this file's ending, so that it is found both as written and as built. */
const childEntry = fileURLToPath(new URL(`./media/child${extname(import.meta.url)}`, import.meta.url));

/**
 * The media engine: every task runs in a child process of its own, so that a file that crashes, hangs or takes over
 * the media library harms nothing else. This process never loads the media library.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const processTimeout = options.processTimeout ?? 3_600_000;
  const probeTimeout = options.probeTimeout ?? 120_000;
  const threads = options.threads ?? Math.min(4, availableParallelism());
  const dataDirectory = options.dataDirectory === undefined ? undefined : resolve(options.dataDirectory);
  const sandbox = createSandbox(
    {
      memoryBytes: options.memoryBytes ?? 4 * 1024 ** 3,
      // Wall time ends a task long before; this ends a child whose parent cannot.
      cpuSeconds: (Math.max(processTimeout, probeTimeout) / 1000) * (threads + 1),
      fileBytes: maxFileBytes,
    },
    dataDirectory,
  );
  const scratch = makeScratch('millrace-engine-');
  const place = { directory: join(scratch, 'empty'), modules: join(scratch, 'modules') };
  for (const path of Object.values(place)) mkdirSync(path);
  const log = options.log ?? silent;
  const children = new Set<EngineChild>();
  const spares: EngineChild[] = [];
  let closed = false;

  function start(): EngineChild {
    const command = [process.execPath, ...nodeOptions, childEntry, `${process.pid}`, `${threads}`];
    const child = new EngineChild(command, sandbox, place, log);
    children.add(child);
    void child.exited.finally(() => children.delete(child));
    return child;
  }

  function take(): EngineChild {
    if (closed)
      throw new MillraceError('processing_failed', 'The service is shutting down. Start the job again later.');
    let child = spares.shift();
    while (child !== undefined && !child.usable) child = spares.shift();
    return child ?? start();
  }

  function refill(): void {
    while (!closed && spares.length < (options.spares ?? 1)) spares.push(start());
  }

  async function perform(task: ChildTask, timeLimit: number, call: ProcessCall): Promise<ChildReport> {
    call.signal.throwIfAborted();
    const child = take();
    refill();
    return await child.perform(task, {
      signal: call.signal,
      timeLimit,
      onProgress: call.onProgress ?? (() => undefined),
      growth: call.growth,
    });
  }

  refill();
  return {
    missingIsolation: sandbox.missing,
    get children() {
      return children.size;
    },
    async process(task, call) {
      if (!isContainer(task.output.ext)) throw unknownContainer(task.output.ext);
      const inputs = task.inputs.map((input) => ({ ...input, path: resolve(input.path) }));
      return await perform({ type: 'process', ...absolute(task), inputs }, processTimeout, call);
    },
    async finish(task, call) {
      return await perform({ type: 'finish', ...packFinish(absolute(task)) }, processTimeout, call);
    },
    async probe(task, call) {
      const file = { ...task, directory: resolve(task.directory), path: resolve(task.path) };
      const { notes, ...found } = await perform({ type: 'probe', ...file }, probeTimeout, call);
      return found;
    },
    async close() {
      closed = true;
      const ending = new MillraceError('processing_failed', 'The service is shutting down. Start the job again later.');
      const all = [...children];
      for (const child of all) child.stop(ending);
      await Promise.all(all.map((child) => child.exited));
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

const silent: ChildLog = { debug: () => undefined, warn: () => undefined };

/** Children stand in another directory, so a relative path would mean something else to them. */
function absolute<Task extends Pick<ProcessTask, 'directory' | 'output'>>(task: Task): Task {
  return {
    ...task,
    directory: resolve(task.directory),
    output: { ...task.output, path: resolve(task.output.path) },
  };
}

function unknownContainer(ext: string): MillraceError {
  return new MillraceError(
    'incompatible_codecs',
    `Results cannot be written as ${ext}; choose output.ext ${Object.keys(containers).join(', ')}.`,
  );
}

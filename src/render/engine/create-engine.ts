import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import { type ChildLog, EngineChild } from './child/engine-child.ts';
import type { Engine, ProcessCall } from './engine.ts';
import { containerFormats, isOutputContainer } from './formats/container-formats.ts';
import { type ChildReport, type ChildTask, encodeFinishTask } from './protocol/messages.ts';
import { createLauncher } from './sandbox/launcher.ts';
import { linkGrowingInputs, linkTaskFiles } from './sandbox/link-task-files.ts';
import { watchOutputs } from './sandbox/watch-outputs.ts';
import type { Workspace } from './sandbox/workspace.ts';
import { engineProgram } from './self-restriction/visible-files.ts';
import { mapInputPaths } from './tasks/input-files.ts';
import type { ProcessTask, TaskOutput } from './tasks/task.ts';

/** Options of an engine. */
export interface EngineOptions {
  /** Number of spare children that are loaded and ready for a task; default 1. */
  readonly spares?: number;
  /**
   * An existing folder for the children's workspaces, on the same file system as the tasks' files. Files that cannot be
   * linked into a workspace are copied. Default: a temporary folder.
   */
  readonly directory?: string;
  /** Address space limit of one child, in bytes; default 4 GiB, of which Node reserves 1.6 GB. */
  readonly memoryBytes?: number;
  /** Time limit of an operation, in milliseconds; default one hour. */
  readonly processTimeout?: number;
  /** Time limit of a probe, in milliseconds; default two minutes. */
  readonly probeTimeout?: number;
  /** Threads of each decoder and encoder; default the machine's available parallelism, up to 4. */
  readonly threads?: number;
  /** Whether children may restrict themselves through `node:ffi`. Default: true if this Node version has it. */
  readonly ffi?: boolean;
  readonly log?: ChildLog;
}

/** Maximum number of bytes that a child may write during a probe. */
const maxProbeOutput = 64 * 1024 ** 2;

/**
 * Maximum size of any file that a child writes, in bytes. It exceeds every limit that a task can set, so it only stops
 * a child that bypassed the task's limit.
 */
const maxFileBytes = 16 * 1024 ** 3;

/**
 * Milliseconds from the start of a task until the spare that it took is replaced. Starting a child takes as much
 * processor time as copying a clip of 17 MB (0.1 s, measured 2026-11-26). It would delay a short task, and then the
 * download of its result.
 */
const replacementDelay = 500;

/**
 * Creates the media engine. Every task runs in its own child process, so that a file that crashes, hangs or exploits
 * the media library affects nothing else. This process never loads the media library.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const processTimeout = options.processTimeout ?? 3_600_000;
  const probeTimeout = options.probeTimeout ?? 120_000;
  const threads = options.threads ?? Math.min(4, availableParallelism());
  const launcherPromise = createLauncher({
    limits: {
      memoryBytes: options.memoryBytes ?? 4 * 1024 ** 3,
      // The wall-clock limit normally ends a task much earlier. This limit ends a child whose parent can no longer do
      // so.
      cpuSeconds: (Math.max(processTimeout, probeTimeout) / 1000) * (threads + 1),
      fileBytes: maxFileBytes,
    },
    ...(options.directory === undefined ? {} : { directory: resolve(options.directory) }),
    ...(options.ffi === undefined ? {} : { ffi: options.ffi }),
  });
  const log = options.log ?? silentLog;
  const isolation = Promise.withResolvers<readonly string[]>();
  const instances = new Set<ChildInstance>();
  const spares: Promise<ChildInstance>[] = [];
  let closed = false;

  async function startChild(): Promise<ChildInstance> {
    const launcher = await launcherPromise;
    if (closed) throw shutdownError();
    const { workspace, ...launch } = launcher.launch(engineProgram('child'), (parent) => [`${parent}`, `${threads}`]);
    const child = new EngineChild({
      ...launch,
      onReady: (restrictions) => {
        isolation.resolve(launcher.missingLayers(restrictions));
      },
      log,
    });
    const instance = { child, workspace };
    instances.add(instance);
    // This has no effect if the child was ready, because it has then already reported its restrictions. A child that
    // was stopped because the engine closes gives no information about the system.
    void child.exited.then(() => {
      isolation.resolve(closed ? [] : launcher.missingLayers({ landlock: 0, systemCalls: false }));
    });
    return instance;
  }

  /** Ends a child and removes its workspace. */
  async function discard(instance: ChildInstance, reason: unknown): Promise<void> {
    instance.child.stop(reason);
    await instance.child.exited;
    try {
      await instance.workspace.remove();
    } catch (err) {
      log.warn({ err }, 'the workspace of a media engine child could not be removed');
    }
    instances.delete(instance);
  }

  async function takeChild(): Promise<ChildInstance> {
    if (closed) throw shutdownError();
    for (let spare = spares.shift(); spare !== undefined; spare = spares.shift()) {
      const instance = await spare;
      if (instance.child.isUsable) return instance;
      void discard(instance, undefined);
    }
    return await startChild();
  }

  function refillSpares(): void {
    while (!closed && spares.length < (options.spares ?? 1)) {
      const spare = startChild();
      // The task that takes the spare reports why it could not start.
      spare.catch(() => undefined);
      spares.push(spare);
    }
  }

  async function perform(task: ChildTask, timeLimit: number, call: ProcessCall): Promise<ChildReport> {
    call.signal.throwIfAborted();
    const instance = await takeChild();
    const { child, workspace } = instance;
    const stop = (error: unknown) => child.stop(error);
    const stopWatching = watchOutputs(workspace.outputs, outputBytes(task), stop);
    setTimeout(refillSpares, replacementDelay).unref();
    try {
      const growingInputs = linkGrowingInputs(task, call.growingFiles, workspace, stop);
      const report = await child.perform(await linkTaskFiles(task, workspace), {
        signal: call.signal,
        timeLimit,
        onProgress: call.onProgress ?? (() => undefined),
        growingFiles: call.growingFiles,
        isReadable: growingInputs.isReadable,
        log: call.log,
      });
      if (task.type !== 'probe') await workspace.takeResult(task.output.path, report.bytes);
      return report;
    } finally {
      stopWatching();
      // The workspace contains links to the files of the task, and a file that has other links is not stored.
      await discard(instance, undefined);
    }
  }

  // Without a launcher, no child reports missing isolation layers. `ready` rejects with the cause.
  const ready = launcherPromise.then(
    () => undefined,
    (error: unknown) => {
      isolation.resolve([]);
      throw error;
    },
  );
  ready.catch(() => undefined);
  refillSpares();
  return {
    isolation: isolation.promise,
    ready,
    get children() {
      return instances.size;
    },
    async process(task, call) {
      if (!isOutputContainer(task.output.ext)) throw unknownContainerError(task.output.ext);
      const inputs = mapInputPaths(task.inputs, (path) => resolve(path));
      return await perform(
        { type: 'process', timeLimit: processTimeout, ...withAbsolutePaths(task), inputs },
        processTimeout,
        call,
      );
    },
    async finish(task, call) {
      return await perform({ type: 'finish', ...encodeFinishTask(withAbsolutePaths(task)) }, processTimeout, call);
    },
    async makeSlideshow(task, call) {
      if (!isOutputContainer(task.output.ext)) throw unknownContainerError(task.output.ext);
      const images = task.images.map((image) => ({ ...image, path: resolve(image.path) }));
      return await perform({ type: 'slideshow', ...withAbsolutePaths(task), images }, processTimeout, call);
    },
    async probe(task, call) {
      const file = { ...task, directory: resolve(task.directory), path: resolve(task.path) };
      const { notes, ...probe } = await perform({ type: 'probe', ...file }, probeTimeout, call);
      return probe;
    },
    async close() {
      closed = true;
      await Promise.allSettled(spares);
      await Promise.all([...instances].map((instance) => discard(instance, shutdownError())));
      // No child is left to report.
      isolation.resolve([]);
      await launcherPromise.then(
        (launcher) => launcher.close(),
        () => undefined,
      );
    },
  };
}

/**
 * Returns the number of bytes that a task may write in total: the result, and the same size again for reassembled
 * inputs.
 */
function outputBytes(task: ChildTask): number {
  return task.type === 'probe' ? maxProbeOutput : 2 * task.maxOutputBytes + maxProbeOutput;
}

/** A child and its workspace. */
interface ChildInstance {
  readonly child: EngineChild;
  readonly workspace: Workspace;
}

const silentLog: ChildLog = { debug: () => undefined, warn: () => undefined };

/**
 * Makes a task's paths absolute. Children run in another working directory, where relative paths would resolve
 * differently.
 */
function withAbsolutePaths<
  Task extends Pick<ProcessTask, 'directory'> & { readonly output: Pick<TaskOutput, 'path' | 'cover'> },
>(task: Task): Task {
  const { path, cover } = task.output;
  const absoluteCover = cover === undefined ? {} : { cover: { path: resolve(cover.path) } };
  return {
    ...task,
    directory: resolve(task.directory),
    output: { ...task.output, path: resolve(path), ...absoluteCover },
  };
}

function shutdownError(): MillraceError {
  return new MillraceError('processing_failed', 'The service is shutting down. Start the job again later.');
}

function unknownContainerError(ext: string): MillraceError {
  return new MillraceError(
    'incompatible_codecs',
    `${ext} is not a supported output format. Set output.ext to one of ${Object.keys(containerFormats).join(', ')}.`,
  );
}

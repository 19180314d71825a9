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
import type { ProcessTask } from './tasks/task.ts';

/** How an engine is set up. */
export interface EngineOptions {
  /** Children that wait, loaded and ready, for a task; default 1. */
  readonly spares?: number;
  /**
   * An existing folder for the workspaces of children, on the file system of the tasks' files. Files that cannot be linked
   * into a workspace are copied. Default: a temporary folder.
   */
  readonly directory?: string;
  /** Bytes of address space of one child; default 4 GiB, of which Node reserves 1.6 GB. */
  readonly memoryBytes?: number;
  /** Milliseconds that an operation may take; default one hour. */
  readonly processTimeout?: number;
  /** Milliseconds that a probe may take; default two minutes. */
  readonly probeTimeout?: number;
  /** Threads of each decoder and encoder; default as many as the machine runs at once, 4 at most. */
  readonly threads?: number;
  /** Whether children may restrict themselves through `node:ffi`; default: if this Node has it. */
  readonly ffi?: boolean;
  readonly log?: ChildLog;
}

/** Bytes that a child may write in a task that only reads. */
const maxProbeOutput = 64 * 1024 ** 2;

/** Bytes of any file a child writes: above every limit a task can set, so it stops only what escaped that. */
const maxFileBytes = 16 * 1024 ** 3;

/**
 * The media engine: every task runs in a child process of its own, so that a file that crashes, hangs or takes over
 * the media library harms nothing else. This process never loads the media library.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const processTimeout = options.processTimeout ?? 3_600_000;
  const probeTimeout = options.probeTimeout ?? 120_000;
  const threads = options.threads ?? Math.min(4, availableParallelism());
  const launcherPromise = createLauncher({
    limits: {
      memoryBytes: options.memoryBytes ?? 4 * 1024 ** 3,
      // Wall time ends a task long before; this ends a child whose parent cannot.
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
    // Has no effect after a child was ready, because it has then reported its restrictions. One that this engine ended
    // on closing says nothing about the system.
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
      // The task that takes it reports why it could not start.
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
    try {
      refillSpares();
      const growingInputs = linkGrowingInputs(task, call.growingFiles, workspace, stop);
      const report = await child.perform(await linkTaskFiles(task, workspace), {
        signal: call.signal,
        timeLimit,
        onProgress: call.onProgress ?? (() => undefined),
        growingFiles: call.growingFiles,
        isReadable: growingInputs.isReadable,
      });
      if (task.type !== 'probe') await workspace.takeResult(task.output.path, report.bytes);
      return report;
    } finally {
      stopWatching();
      await discard(instance, undefined);
    }
  }

  // Without a launcher no child reports what is missing; `ready` rejects with the cause.
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
      return await perform({ type: 'process', ...withAbsolutePaths(task), inputs }, processTimeout, call);
    },
    async finish(task, call) {
      return await perform({ type: 'finish', ...encodeFinishTask(withAbsolutePaths(task)) }, processTimeout, call);
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
      // No child is left to say anything.
      isolation.resolve([]);
      await launcherPromise.then(
        (launcher) => launcher.close(),
        () => undefined,
      );
    },
  };
}

/** Bytes that a task may write in total: a result, and as much again for reassembled inputs. */
function outputBytes(task: ChildTask): number {
  return task.type === 'probe' ? maxProbeOutput : 2 * task.maxOutputBytes + maxProbeOutput;
}

/** A child and its workspace. */
interface ChildInstance {
  readonly child: EngineChild;
  readonly workspace: Workspace;
}

const silentLog: ChildLog = { debug: () => undefined, warn: () => undefined };

/** Children stand in another directory, so a relative path would mean something else to them. */
function withAbsolutePaths<Task extends Pick<ProcessTask, 'directory' | 'output'>>(task: Task): Task {
  return {
    ...task,
    directory: resolve(task.directory),
    output: { ...task.output, path: resolve(task.output.path) },
  };
}

function shutdownError(): MillraceError {
  return new MillraceError('processing_failed', 'The service is shutting down. Start the job again later.');
}

function unknownContainerError(ext: string): MillraceError {
  return new MillraceError(
    'incompatible_codecs',
    `Results cannot be written as ${ext}; choose output.ext ${Object.keys(containerFormats).join(', ')}.`,
  );
}

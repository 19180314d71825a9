import { MillraceError } from '../../../contract/errors.ts';
import { diskFull, isDiskFull } from '../errors/disk-full.ts';
import { namesOpenLimit, tooManyOpen } from '../errors/limits-reached.ts';
import { printable } from '../errors/printable.ts';
import { finishMp4 } from '../mp4/fragment-placement/finish-result.ts';
import {
  type ChildMessage,
  type ChildReport,
  type ChildTask,
  childErrorCodes,
  messageLimits,
  decodeFinishTask,
} from '../protocol/messages.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { LibraryLog } from './library-log.ts';
import { runOperation } from './run-operation.ts';
import type { TaskContext } from './sink.ts';

/** What a task works with, whichever process it runs in. */
interface TaskTools extends Omit<TaskContext, 'libraryLog'> {
  /** Takes lines for the service's log, at its level debug. */
  readonly logDebug: (text: string) => void;
}

/** What became of a task, as the service is told. */
type TaskOutcome = Extract<ChildMessage, { type: 'done' | 'failed' }>;

/** Loads the media library. The system call filter allows what that takes, and nothing more. */
const loadLibrary = () => import('./library.ts');

/** Carries out a task. Never rejects. */
export async function performTask(task: ChildTask, tools: TaskTools): Promise<TaskOutcome> {
  const logDebug = (text: string) => tools.logDebug(printable(text));
  /** Log of the media library; undefined until it is loaded. */
  let libraryLog: LibraryLog | undefined;

  async function createTaskContext(directory: string): Promise<TaskContext> {
    const { LibraryLog } = await loadLibrary();
    libraryLog = new LibraryLog(directory);
    return { ...tools, libraryLog };
  }

  async function process(processTask: ProcessTask): Promise<ProcessReport> {
    return await runOperation(processTask, tools, logDebug, async () => {
      const { processFiles } = await loadLibrary();
      return await processFiles(processTask, await createTaskContext(processTask.directory));
    });
  }

  async function run(): Promise<ChildReport> {
    switch (task.type) {
      case 'process':
        return await process(task);
      case 'finish': {
        const placed = decodeFinishTask(task);
        const outcome = await finishMp4(placed);
        if ('report' in outcome) return outcome.report;
        logDebug(`The placed result cannot be completed: ${outcome.declined}`);
        return await process({ ...placed, inputs: outcome.inputs });
      }
      case 'probe': {
        const { probeFile } = await loadLibrary();
        return { ...(await probeFile(task, await createTaskContext(task.directory))), notes: [] };
      }
    }
  }

  try {
    return { type: 'done', report: await run() };
  } catch (thrown) {
    return failure(thrown, (await libraryLog?.lines()) ?? '', tools.logDebug);
  }
}

function failure(thrown: unknown, libraryLines: string, logDebug: TaskTools['logDebug']): TaskOutcome {
  const error = outOf(thrown);
  const code = error instanceof MillraceError ? childErrorCodes.find((childError) => childError === error.code) : undefined;
  if (error instanceof MillraceError && code !== undefined) {
    const about = typeof error.input === 'number' ? { input: error.input } : {};
    const { message, retryable, reason = libraryLines } = error;
    return { type: 'failed', code, message: bounded(message), retryable, ...about, ...reasonOf(reason) };
  }
  // A fault of ours: its text is for the log, and not for the caller.
  logDebug(`${error instanceof Error ? error.stack : error}`);
  const message = 'The media engine failed on this file. Try again; if it fails again, the file may be damaged.';
  return { type: 'failed', code: 'processing_failed', message, ...reasonOf(libraryLines) };
}

/** An error of the system that means that the machine is out of something, in words for callers; others as they are. */
function outOf(thrown: unknown): unknown {
  if (isDiskFull(thrown)) return diskFull(thrown);
  return thrown instanceof Error && !(thrown instanceof MillraceError) && namesOpenLimit(thrown.message)
    ? tooManyOpen(thrown)
    : thrown;
}

function reasonOf(text: string): { readonly reason?: string } {
  return text === '' ? {} : { reason: bounded(text) };
}

function bounded(text: string): string {
  return text.slice(0, messageLimits.text);
}

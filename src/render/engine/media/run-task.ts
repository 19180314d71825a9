import { MillraceError } from '../../../contract/errors.ts';
import { diskFullError, isDiskFull } from '../errors/disk-full.ts';
import { mentionsOpenFilesLimit, tooManyOpenFilesError } from '../errors/limit-errors.ts';
import { toPrintable } from '../errors/to-printable.ts';
import { finishMp4 } from '../mp4/fragment-placement/finish-result.ts';
import {
  type ChildMessage,
  type ChildReport,
  type ChildTask,
  childErrorCodes,
  decodeFinishTask,
  messageLimits,
} from '../protocol/messages.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { LibraryLog } from './library-log.ts';
import type { TaskContext } from './sink.ts';
import { tryFastPath } from './try-fast-path.ts';

/** Environment of a task, in any process. */
interface TaskEnvironment extends Omit<TaskContext, 'libraryLog'> {
  /** Writes lines to the service's log at debug level. */
  readonly logDebug: (text: string) => void;
}

/** The outcome of a task, as reported to the service. */
type TaskOutcome = Extract<ChildMessage, { type: 'done' | 'failed' }>;

/** Loads the media library. The system call filter allows the system calls that this requires. */
const loadLibrary = () => import('./library.ts');

/** Carries out a task. Never rejects. */
export async function runTask(task: ChildTask, environment: TaskEnvironment): Promise<TaskOutcome> {
  const logDebug = (text: string) => environment.logDebug(toPrintable(text));
  /** Log of the media library; undefined until it is loaded. */
  let libraryLog: LibraryLog | undefined;

  async function createTaskContext(directory: string): Promise<TaskContext> {
    const { LibraryLog } = await loadLibrary();
    libraryLog = new LibraryLog(directory);
    return { ...environment, libraryLog };
  }

  async function runProcessTask(processTask: ProcessTask): Promise<ProcessReport> {
    return await tryFastPath(processTask, environment, logDebug, async () => {
      const { processWithLibrary } = await loadLibrary();
      return await processWithLibrary(processTask, await createTaskContext(processTask.directory));
    });
  }

  async function run(): Promise<ChildReport> {
    switch (task.type) {
      case 'process':
        return await runProcessTask(task);
      case 'finish': {
        const finishTask = decodeFinishTask(task);
        const outcome = await finishMp4(finishTask);
        if ('report' in outcome) return outcome.report;
        logDebug(`The placed result cannot be completed: ${outcome.declined}`);
        return await runProcessTask({ ...finishTask, inputs: outcome.inputs });
      }
      case 'probe': {
        const { probeFile } = await loadLibrary();
        return { ...(await probeFile(task, await createTaskContext(task.directory))), notes: [] };
      }
    }
  }

  try {
    return { type: 'done', report: await run() };
  } catch (error) {
    return describeFailure(error, (await libraryLog?.lines()) ?? '', environment.logDebug);
  }
}

function describeFailure(cause: unknown, libraryLines: string, logDebug: TaskEnvironment['logDebug']): TaskOutcome {
  const error = explainSystemError(cause);
  const code =
    error instanceof MillraceError ? childErrorCodes.find((childError) => childError === error.code) : undefined;
  if (error instanceof MillraceError && code !== undefined) {
    const about = typeof error.input === 'number' ? { input: error.input } : {};
    const { message, retryable, reason = libraryLines } = error;
    return { type: 'failed', code, message: truncate(message), retryable, ...about, ...reasonOf(reason) };
  }
  // An internal error. Its text is for the log, not for the caller.
  logDebug(`${error instanceof Error ? error.stack : error}`);
  const message = 'The media engine failed on this file. Try again; if it fails again, the file may be damaged.';
  return { type: 'failed', code: 'processing_failed', message, ...reasonOf(libraryLines) };
}

/**
 * Replaces a system error that means that the machine has run out of a resource with an error for callers. Returns
 * other errors unchanged.
 */
function explainSystemError(error: unknown): unknown {
  if (isDiskFull(error)) return diskFullError(error);
  return error instanceof Error && !(error instanceof MillraceError) && mentionsOpenFilesLimit(error.message)
    ? tooManyOpenFilesError(error)
    : error;
}

function reasonOf(text: string): { readonly reason?: string } {
  return text === '' ? {} : { reason: truncate(text) };
}

function truncate(text: string): string {
  return text.slice(0, messageLimits.text);
}

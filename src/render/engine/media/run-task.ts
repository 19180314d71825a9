import type { Clip } from '../../../contract/clip.ts';
import { MillraceError } from '../../../contract/errors.ts';
import { limitNotes } from '../../../contract/output-notes.ts';
import { chaptersAfterEnd, requestedAdditions } from '../additions/requested-additions.ts';
import { diskFullError, isDiskFull } from '../errors/disk-full.ts';
import { mentionsOpenFilesLimit, tooManyOpenFilesError } from '../errors/limit-errors.ts';
import { toPrintable } from '../errors/to-printable.ts';
import { finishMp4 } from '../mp4/fragment-placement/finish-result.ts';
import { hideEmptyDescriptions } from '../mp4/hide-descriptions.ts';
import {
  type ChildMessage,
  type ChildReport,
  type ChildTask,
  childErrorCodes,
  decodeFinishTask,
  messageLimits,
} from '../protocol/messages.ts';
import type { RequestedAdditions } from '../tasks/additions.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { withFrame } from '../timing/clip-rules.ts';
import { clipToDuration, isMeasured, type MediaEnds } from '../timing/duration-rules.ts';
import type { LibraryLog } from './library-log.ts';
import { prepareAdditions } from './prepare-additions.ts';
import { shareOf } from './progress-share.ts';
import type { TaskContext } from './sink.ts';
import { tryFastPath } from './try-fast-path.ts';

/** Environment of a task, in any process. */
interface TaskEnvironment extends Omit<TaskContext, 'libraryLog'> {
  /** Writes lines to the service's log at debug level. */
  readonly logDebug: (text: string) => void;
}

/** The outcome of a task, as reported to the service. */
type TaskOutcome = Extract<ChildMessage, { type: 'done' | 'failed' }>;

/** Fraction of a task's progress in which its inputs are measured. */
const measuringShare = 0.2;

/** Loads the media library. The system call filter allows the system calls that this requires. */
const loadLibrary = () => import('./library.ts');

/** Carries out a task. Never rejects. */
export async function runTask(task: ChildTask, environment: TaskEnvironment): Promise<TaskOutcome> {
  const logDebug = (text: string) => environment.logDebug(toPrintable(text));
  /** Log of the media library; undefined until it is loaded. */
  let libraryLog: LibraryLog | undefined;

  async function createTaskContext(directory: string): Promise<TaskContext> {
    const { LibraryLog } = await loadLibrary();
    libraryLog ??= new LibraryLog(directory);
    const timeLimit = task.type === 'process' ? task.timeLimit : undefined;
    return { ...environment, libraryLog, ...(timeLimit === undefined ? {} : { timeLimit }) };
  }

  async function runProcessTask(givenTask: ProcessTask): Promise<ProcessReport> {
    try {
      return await runOnce(givenTask);
    } catch (error) {
      if (!(error instanceof MillraceError) || error.code !== 'input_unreadable') throw error;
      const readableTask = await hideEmptyDescriptions(givenTask);
      if (readableTask === undefined) throw error;
      logDebug(`The file is read without its empty sample descriptions: ${error.message}`);
      return await runOnce(readableTask);
    }
  }

  async function runOnce(givenTask: ProcessTask): Promise<ProcessReport> {
    const { output, operation } = givenTask;
    const { clip, ends, pacer } = await cutToDuration(givenTask);
    const playableClip = clip === undefined ? {} : { clip: withFrame(clip, output.ext, operation.copyStreams) };
    const processTask = { ...givenTask, ...playableClip };
    const additions = await prepare(processTask);
    const report = await tryFastPath(processTask, additions, { ...environment, pacer }, logDebug, async () => {
      const { processWithLibrary } = await loadLibrary();
      const context = await createTaskContext(processTask.directory);
      return await processWithLibrary(processTask, additions, { ...context, pacer });
    });
    return { ...withNotes(report, additions, processTask), ...(ends && { ends }) };
  }

  /** Returns the clip of a task, which ends with its duration, and the pacer of the rest of the task. */
  async function cutToDuration(
    givenTask: ProcessTask,
  ): Promise<Pick<TaskContext, 'pacer'> & { readonly clip: Clip | undefined; readonly ends?: MediaEnds }> {
    const { clip, operation, directory } = givenTask;
    const { pacer } = environment;
    if (!isMeasured(operation.duration)) return { clip, pacer };
    const { measureEnds } = await loadLibrary();
    const context = await createTaskContext(directory);
    const ends = await measureEnds(givenTask, { ...context, pacer: shareOf(pacer, 0, measuringShare) });
    return { clip: clipToDuration(operation.duration, clip, ends), ends, pacer: shareOf(pacer, measuringShare, 1) };
  }

  async function prepare(about: Pick<ProcessTask, 'output' | 'clip'>): Promise<RequestedAdditions> {
    return await prepareAdditions(about, async (path) => await (await loadLibrary()).loadCover(path));
  }

  async function run(): Promise<ChildReport> {
    switch (task.type) {
      case 'process':
        return await runProcessTask(task);
      case 'finish': {
        const finishTask = decodeFinishTask(task);
        const additions = requestedAdditions(finishTask);
        const outcome = await finishMp4(finishTask, additions);
        if ('report' in outcome) return withNotes(outcome.report, additions, finishTask);
        logDebug(`The placed result cannot be completed: ${outcome.declined}`);
        return await runProcessTask({ ...finishTask, inputs: outcome.inputs });
      }
      case 'slideshow': {
        const { encodeSlideshow } = await loadLibrary();
        return await encodeSlideshow(task, await createTaskContext(task.directory));
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

/** Adds the notes about additions that are not in the result. A clip leaves out chapters because the job requests it. */
function withNotes(
  report: ProcessReport,
  { notes, chapters = [] }: RequestedAdditions,
  { clip }: Pick<ProcessTask, 'clip'>,
): ProcessReport {
  const missing = clip === undefined ? chapters.length - report.chapters : 0;
  const allNotes = missing > 0 ? [...notes, chaptersAfterEnd(missing)] : notes;
  return allNotes.length === 0 ? report : { ...report, notes: limitNotes([...report.notes, ...allNotes]) };
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

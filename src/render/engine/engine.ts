import type { ChildLog } from './child/engine-child.ts';
import type { GrowingFiles } from './tasks/growing-files.ts';
import type { ProbeReport, ProcessReport } from './tasks/report.ts';
import type { FinishTask, ProbeTask, ProcessTask, SlideshowTask } from './tasks/task.ts';

/** The media engine, as the render stages see it. Each call runs in its own sandboxed child process. */
export interface Engine {
  /**
   * Carries out an operation on files in `task.directory` and writes `task.output.path`.
   *
   * @throws MillraceError `incompatible_codecs`, `source_unsupported` for encrypted streams, `input_unreadable`,
   * `input_incomplete`, `processing_failed` or `processing_timeout`; the signal's reason when aborted. The child is
   * dead when this settles.
   */
  process(task: ProcessTask, call: ProcessCall): Promise<ProcessReport>;
  /**
   * Completes a result whose media was downloaded directly to its final position. If that turns out to be impossible,
   * the inputs are reassembled from the placed media and processed.
   *
   * @throws as {@link process}.
   */
  finish(task: FinishTask, call: EngineCall): Promise<ProcessReport>;
  /**
   * Makes a video without sound from images, and writes `task.output.path`. Images that cannot be read are left out,
   * with a note.
   *
   * @throws MillraceError `input_unreadable` if no image can be read, `processing_failed` or `processing_timeout`; the
   * signal's reason when aborted. The child is dead when this settles.
   */
  makeSlideshow(task: SlideshowTask, call: EngineCall): Promise<ProcessReport>;
  /**
   * Reads a finished media file in a fresh child: its streams, and whether its last packets are present. The service
   * reads small MP4 files itself (`mp4/read-result.ts`).
   *
   * @throws MillraceError `input_unreadable`, `input_incomplete`, `processing_failed` or `processing_timeout`; the
   * signal's reason when aborted. The child is dead when this settles.
   */
  probe(task: ProbeTask, call: EngineCall): Promise<ProbeReport>;
  /**
   * Resolves when the first child has started, with the isolation layers that this system lacks, as `layer:
   * consequence`. Resolves to an empty list if the engine is closed before that. Never rejects.
   */
  readonly isolation: Promise<readonly string[]>;
  /**
   * Settles when tasks can be carried out, which requires knowing how children are confined on this system.
   *
   * @throws A file system error; in that case every task fails.
   */
  readonly ready: Promise<void>;
  /** Current number of child processes, including spares. */
  readonly children: number;
  /** Kills every child. */
  close(): Promise<void>;
}

/** Parameters of every call besides its task. */
export interface EngineCall {
  readonly signal: AbortSignal;
  /** Fraction of the work that is done, from 0 to 1, by media time or bytes read. */
  readonly onProgress?: (fraction: number) => void;
  /** Receives what the child writes, and how it ended. Default: the log of the engine. */
  readonly log?: ChildLog;
}

/** A call whose caller follows its progress. */
export type TrackedCall = EngineCall & Required<Pick<EngineCall, 'onProgress'>>;

/** Parameters of an operation besides its task. */
export interface ProcessCall extends EngineCall {
  /**
   * The files that are still `growing`, in the order in which `filesOf` lists them for the task's inputs. Time spent
   * waiting for them does not count towards the time limit, so the caller must ensure that they complete, or abort.
   */
  readonly growingFiles?: GrowingFiles;
}

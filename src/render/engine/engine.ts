import type { GrowingFiles } from './tasks/growing-files.ts';
import type { ProbeReport, ProcessReport } from './tasks/report.ts';
import type { FinishTask, ProbeTask, ProcessTask } from './tasks/task.ts';

/** The media engine, as the render stages see it: each call runs in a sandboxed child process of its own. */
export interface Engine {
  /**
   * Carries out an operation on files of `task.directory` and writes `task.output.path`.
   *
   * @throws MillraceError `incompatible_codecs`, `source_unsupported` for encrypted streams, `input_unreadable`,
   *   `input_incomplete`, `processing_failed` or `processing_timeout`; the signal's reason when aborted. The child is dead
   *   when this settles.
   */
  process(task: ProcessTask, call: ProcessCall): Promise<ProcessReport>;
  /**
   * Completes a result whose media was fetched straight to its place. Where that turns out not to be possible, the
   * inputs are put together again from where they lie, and processed.
   *
   * @throws as {@link process}.
   */
  finish(task: FinishTask, call: EngineCall): Promise<ProcessReport>;
  /**
   * Reads a finished media file in a fresh child: its streams, and whether its last packets are really there. The service
   * reads small MP4 files itself (`mp4/read-result.ts`).
   *
   * @throws MillraceError `input_unreadable`, `input_incomplete`, `processing_failed` or `processing_timeout`; the
   *   signal's reason when aborted. The child is dead when this settles.
   */
  probe(task: ProbeTask, call: EngineCall): Promise<ProbeReport>;
  /**
   * Resolves when the first child has started, with the isolation layers that this system lacks, as `layer: consequence`;
   * with none if the engine is closed before that. Never rejects.
   */
  readonly isolation: Promise<readonly string[]>;
  /**
   * Settles when tasks can be carried out: it is known how children are confined on this system.
   *
   * @throws An error of the file system; every task fails then.
   */
  readonly ready: Promise<void>;
  /** Child processes that there are now, waiting ones with them. */
  readonly children: number;
  /** Kills every child. */
  close(): Promise<void>;
}

/** What every call takes beside its task. */
export interface EngineCall {
  readonly signal: AbortSignal;
  /** Part of the work that is done, 0 to 1, by media time or bytes read. */
  readonly onProgress?: (fraction: number) => void;
}

/** What an operation takes beside its task. */
export interface ProcessCall extends EngineCall {
  /**
   * The files that are still `growing`, in the order of `filesOf` the task's inputs. Time that the engine waits
   * for them does not count, so the caller must see that they end, or abort.
   */
  readonly growingFiles?: GrowingFiles;
}

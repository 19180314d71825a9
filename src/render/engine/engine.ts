import type { OperationType } from '../../contract/job.ts';
import type { OutputNote } from '../../contract/notes.ts';
import type { Growth } from './tasks/growing-files.ts';
import type { SegmentTable } from './tasks/segment-table.ts';
import type { CueFigures } from './timing/cue-stats.ts';
import type { StreamFigures } from './timing/stream-stats.ts';
import type { CueOrigin } from './verification/compare-cues.ts';
import type { StreamOrigin } from './verification/compare-streams.ts';

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
   * Growth of the files that are still `arriving`, in the order of `filesOf` the task's inputs. Time that the engine waits
   * for them does not count, so the caller must see that they end, or abort.
   */
  readonly growth?: Growth;
}

/** A file that an operation reads. */
export interface InputPart {
  readonly path: string;
  /** Seconds that the source promised (the sum of an HLS playlist's segments); a shorter file is incomplete. */
  readonly duration?: number;
  /** The segments of an HLS playlist that it was put together from; each is compared with what the playlist declares. */
  readonly segments?: SegmentTable;
  /** Set where it is read while it arrives; the call's `growth` tells how much of it is there. */
  readonly arriving?: true;
  /**
   * Number of its section, from 0, the default. Files of one section share a clock; a new one may show any time. Files of
   * a job's input that play at the same time, such as separate video and audio, have the same sections.
   */
  readonly section?: number;
}

/** What an operation reads as one: a file, or several that play one after the other. */
export interface EngineInput extends InputPart {
  /** Index of the job's input that it belongs to, for messages; default: its index among the task's inputs. */
  readonly jobInput?: number;
  /** The files that play after the first, in their order. */
  readonly followedBy?: readonly InputPart[];
}

/** An operation on files. */
export interface ProcessTask {
  /** The job's own folder. */
  readonly directory: string;
  readonly inputs: readonly EngineInput[];
  readonly output: { readonly path: string; readonly ext: string };
  readonly operation: { readonly type: Exclude<OperationType, 'no_process'>; readonly copyStreams: boolean };
  /** Bytes that the result may have at most. */
  readonly maxOutputBytes: number;
}

/** The head of a DASH file. */
export interface FragmentedHead {
  /** Its first bytes, up to its first fragment at least; with that fragment's own index, less room is reserved. */
  readonly head: Buffer;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Heads that a task may have, and the bytes of each: enough for the index of a film of hours. */
export const headBounds = { count: 4, bytes: 256 * 1024 } as const;

/** An operation on DASH files, of which every fragment lies in its place in `output.path` already. */
export interface FinishTask extends Omit<ProcessTask, 'inputs'> {
  /** The head of each input; where the fragments are follows from them. */
  readonly heads: readonly FragmentedHead[];
}

/** A file to read. */
export interface ProbeTask {
  readonly directory: string;
  readonly path: string;
  readonly ext: string;
}

/** A stream of a media file. */
export interface StreamSummary {
  readonly kind: 'video' | 'audio' | 'subtitle';
  /** Codec name as the engine calls it (`h264`, `aac`, `opus` …). */
  readonly codec: string;
  /** Seconds from its first to the end of its last packet; absent where the engine cannot tell. */
  readonly duration?: number;
  /** Timing of its packets; absent for subtitles, which are sparse, and if the engine cannot determine it. */
  readonly figures?: StreamFigures;
  /** Of subtitles: the packets that show something; absent without any, and if the engine cannot determine them. */
  readonly cues?: CueFigures;
}

/** A stream of a result, as it was handed to the muxer. */
export interface WrittenStream extends StreamSummary {
  /** What it was made from; absent for subtitles. */
  readonly origin?: StreamOrigin;
  /** What the cues of subtitles were made from. */
  readonly cueOrigin?: CueOrigin;
}

/** What an operation did. */
export interface ProcessReport {
  readonly streams: readonly WrittenStream[];
  /** Seconds, of the longest stream written. */
  readonly duration: number;
  /** Bytes of the result. */
  readonly bytes: number;
  /** Chapters that it has. */
  readonly chapters: number;
  /** What was left out or changed. */
  readonly notes: readonly OutputNote[];
}

/** What a file holds. */
export interface ProbeReport {
  readonly streams: readonly StreamSummary[];
  /** Seconds. */
  readonly duration: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Chapters that it has. */
  readonly chapters: number;
}

import type { OperationType } from '../../../contract/job.ts';
import type { PlaylistSegments } from './playlist-segments.ts';

/** A file that an operation reads. */
export interface InputPart {
  readonly path: string;
  /**
   * Duration that the source declares, in seconds (for an HLS playlist, the sum of its segments). A shorter file is
   * incomplete.
   */
  readonly duration?: number;
  /** The segments of an HLS playlist that it was assembled from. Each is compared with the playlist's declaration. */
  readonly segments?: PlaylistSegments;
  /** Set if it is read while it arrives. The call's `growingFiles` contains its arrived part. */
  readonly growing?: true;
  /**
   * Number of its section, from 0; default: 0. Files of one section share a clock. A new section may begin at any time.
   * Files of a job's input that play simultaneously, such as separate video and audio, have the same sections.
   */
  readonly section?: number;
}

/** An input of an operation: a file, or several that play one after the other. */
export interface EngineInput extends InputPart {
  /** Index of the job's input that it belongs to, for messages; default: its index among the task's inputs. */
  readonly jobInput?: number;
  /** The files that play after the first, in order. */
  readonly followedBy?: readonly InputPart[];
}

/** An operation on files. */
export interface ProcessTask {
  /** The job's own folder. */
  readonly directory: string;
  readonly inputs: readonly EngineInput[];
  readonly output: { readonly path: string; readonly ext: string };
  readonly operation: { readonly type: Exclude<OperationType, 'no_process'>; readonly copyStreams: boolean };
  /** Maximum size of the result in bytes. */
  readonly maxOutputBytes: number;
}

/** The head of a DASH file. */
export interface FragmentedHead {
  /**
   * Its first bytes, up to at least its first fragment. If the head includes that fragment's own index, less space is
   * reserved.
   */
  readonly head: Buffer;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

/** Maximum number of heads in a task, and maximum bytes of each: enough for the index of a film of several hours. */
export const headLimits = { count: 4, bytes: 256 * 1024 } as const;

/** An operation on DASH files whose fragments are all in `output.path` already, at their final offsets. */
export interface FinishTask extends Omit<ProcessTask, 'inputs'> {
  /** The head of each input, which determines the offsets of the fragments. */
  readonly heads: readonly FragmentedHead[];
}

/** A file to read. */
export interface ProbeTask {
  readonly directory: string;
  readonly path: string;
  readonly ext: string;
}

import type { OperationType } from '../../../contract/job.ts';
import type { PlaylistSegments } from './playlist-segments.ts';

/** A file that an operation reads. */
export interface InputPart {
  readonly path: string;
  /** Seconds that the source promised (the sum of an HLS playlist's segments); a shorter file is incomplete. */
  readonly duration?: number;
  /** The segments of an HLS playlist that it was put together from; each is compared with what the playlist declares. */
  readonly segments?: PlaylistSegments;
  /** Set where it is read while it arrives; the call's `growingFiles` tells how much of it is there. */
  readonly growing?: true;
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
export const headLimits = { count: 4, bytes: 256 * 1024 } as const;

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

import type { Clip } from '../../../contract/clip.ts';
import type { EncodingOptions, VideoShape } from '../../../contract/encoding.ts';
import type { OperationType } from '../../../contract/job.ts';
import type { AddedChapter, OutputMetadata, SubtitleFormat } from '../../../contract/output-additions.ts';
import type { PlaylistSegments } from './playlist-segments.ts';

/** A file that an operation reads. */
export interface InputPart {
  readonly path: string;
  /**
   * Duration that the source declares, in seconds (for an HLS playlist, the sum of its segments). A shorter file is
   * incomplete.
   */
  readonly duration?: number;
  /** Set if its source stated its size, and all of its bytes have arrived: another download would bring the same file. */
  readonly hasStatedSize?: true;
  /** The segments of an HLS playlist that it was assembled from. Each is compared with the playlist's declaration. */
  readonly segments?: PlaylistSegments;
  /** Set if it is read while it arrives. The call's `growingFiles` contains its arrived part. */
  readonly growing?: true;
  /**
   * Number of its section, from 0; default: 0. Files of one section share a clock. A new section may begin at any time.
   * Files of a job's input that play simultaneously, such as separate video and audio, have the same sections.
   */
  readonly section?: number;
  /**
   * Set if the file contains only an excerpt of its source, because the task has a clip: time in seconds, counted from
   * the beginning of the source, of the file's first timestamp. Such a file begins at or before the start of the clip.
   * Its `duration` is still that of the source, except for the parts of a playlist, where it is that of the part.
   */
  readonly excerptStart?: number;
}

/** An input that is a subtitle file: one of the job's inputs, or one that the job adds to its result. */
export interface SubtitleInput {
  readonly format: SubtitleFormat;
  /**
   * Index among the job's `output.subtitles`, for messages. Such subtitles are left out, with a note, if they cannot be
   * read or stored. Absent for one of the job's inputs, which must be readable.
   */
  readonly addition?: number;
  /** Name of the track in players. */
  readonly title?: string;
  /** Whether players display it without being asked. */
  readonly default: boolean;
}

/** An input of an operation: a file, or several that play one after the other. */
export interface EngineInput extends InputPart {
  /** Index of the job's input that it belongs to, for messages; default: its index among the task's inputs. */
  readonly jobInput?: number;
  /** The files that play after the first, in order. */
  readonly followedBy?: readonly InputPart[];
  /** Language tag of its audio or subtitles. Default: as the file states. */
  readonly language?: string;
  /** Set for a subtitle file. Those that the job adds follow its other inputs. */
  readonly subtitles?: SubtitleInput;
}

/** The result of an operation. */
export interface TaskOutput {
  readonly path: string;
  readonly ext: string;
  /** Tags that replace those of the inputs, each by itself. */
  readonly metadata?: OutputMetadata;
  /** Chapters that replace those of the inputs, in seconds from the beginning of the media, not of the clip. */
  readonly chapters?: readonly AddedChapter[];
  /** Image file, in any format, that replaces the covers of the inputs. */
  readonly cover?: { readonly path: string };
  /** Size in bytes that the result must not exceed, which its streams are encoded for. */
  readonly maxSize?: number;
}

/** What to do with the streams of the inputs. */
export interface TaskOperation extends EncodingOptions {
  readonly type: Exclude<OperationType, 'no_process' | 'slideshow'>;
  readonly copyStreams: boolean;
}

/** An operation on files. */
export interface ProcessTask {
  /** The job's own folder. */
  readonly directory: string;
  readonly inputs: readonly EngineInput[];
  readonly output: TaskOutput;
  readonly operation: TaskOperation;
  /** The part of the media to keep; absent for all of it. */
  readonly clip?: Clip;
  /** Maximum size of the result in bytes. */
  readonly maxOutputBytes: number;
}

/** An image of a slideshow. */
export interface ImageInput {
  readonly path: string;
  /** Index of the job's input that it is, for messages. */
  readonly jobInput: number;
}

/** Makes a video without sound from images. */
export interface SlideshowTask {
  /** The job's own folder. */
  readonly directory: string;
  /** The images, in order. Those that cannot be read are left out, with a note. */
  readonly images: readonly ImageInput[];
  readonly output: Pick<TaskOutput, 'path' | 'ext'>;
  readonly secondsPerImage: number;
  /** Duration of the sound in seconds, until whose end the images repeat; 0 without sound. */
  readonly soundSeconds: number;
  readonly video?: VideoShape;
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
  /** Language tag of its audio. Default: as the head states. */
  readonly language?: string;
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

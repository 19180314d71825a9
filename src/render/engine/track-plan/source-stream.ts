import type { OutputContainer } from '../../../contract/containers.ts';
import type { TrackKind } from '../formats/container-formats.ts';
import type { ProcessTask } from '../tasks/task.ts';

/** The operations that the engine carries out. */
export type EngineOperation = ProcessTask['operation']['type'];

/** Properties of a stream that is a subtitle file by itself. */
export interface SubtitleFile {
  /** Index among the job's `output.subtitles`; absent for one of the job's inputs. */
  readonly addition?: number;
  /** Whether its text has styles, which only some formats keep. */
  readonly hasStyle: boolean;
}

/** Properties of an input stream that track planning needs. */
export interface SourceStream {
  /** Index of its input among the task's inputs, from 0. */
  readonly input: number;
  /** Index of the job's input that it belongs to. */
  readonly jobInput: number;
  /** Its index inside the input. */
  readonly index: number;
  /**
   * `attachment` is an embedded file, such as a font; `chapters` is the text of chapters, which are handled separately.
   */
  readonly kind: TrackKind | 'chapters';
  /** Codec, with FFmpeg's name, or `unknown`. */
  readonly codec: string;
  /** Four-character code of the stream, if its codec is unknown and its container has such codes. */
  readonly code?: string;
  /** Language tag that its file states beside a code of three letters. */
  readonly languageTag?: string;
  /** Set if the media library cannot decode its codec. */
  readonly lacksDecoder?: boolean;
  /** Whether it is an image that accompanies the file, such as an album cover. */
  readonly cover: boolean;
  /** Whether the file declares it but contains no packet of it, or no frame that reveals its size or rate. */
  readonly empty: boolean;
  /** Set for an `empty` video of which the file has packets: its frames cannot be read. */
  readonly unreadable?: true;
  /** Set if its file does not contain presentation times: it can be decoded in order, but not copied. */
  readonly untimed?: boolean;
  /** Set if it is a subtitle file by itself, whose text is read by Millrace and has no other formatting. */
  readonly subtitleFile?: SubtitleFile;
  /** Containers that hold its codec, but that it cannot be copied into. */
  readonly obstacles?: CopyObstacles;
}

/** Containers that hold a stream's codec but not this stream, each with the reason, as a clause. */
export type CopyObstacles = Readonly<Partial<Record<OutputContainer, string>>>;

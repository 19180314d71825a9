import type { OutputContainer } from '../../../contract/containers.ts';
import type { TrackKind } from '../formats/container-formats.ts';
import type { ProcessTask } from '../tasks/task.ts';

/** The operations that the engine carries out. */
export type EngineOperation = ProcessTask['operation']['type'];

/** A stream of an input, as far as planning needs to know it. */
export interface SourceStream {
  /** Place of its input among the task's inputs, from 0. */
  readonly input: number;
  /** Index of the job's input that it belongs to. */
  readonly jobInput: number;
  /** Its index inside the input. */
  readonly index: number;
  /** `attachment` is a file inside the file, such as a font; `chapters` the text of chapters, which go another way. */
  readonly kind: TrackKind | 'chapters';
  /** Codec name as FFmpeg calls it, or `unknown`. */
  readonly codec: string;
  /** A still picture that decorates the file, such as an album cover. */
  readonly cover: boolean;
  /** Declared by the file, which holds no packet of it, or no frame that shows its size or rate. */
  readonly empty: boolean;
  /** Set where its file does not say when its pictures are shown: it can be decoded in order, but not copied. */
  readonly untimed?: boolean;
  /** Containers that hold its codec, and into which it cannot be copied. */
  readonly obstacles?: CopyObstacles;
}

/** Containers that hold a stream's codec but not the stream as it is, each with the reason, as a clause. */
export type CopyObstacles = Readonly<Partial<Record<OutputContainer, string>>>;

import type { Packet, Stream } from 'node-av/lib';
import type { ProgressPacer } from '../tasks/progress-pacer.ts';
import type { Extent } from '../timing/timeline.ts';
import type { GrowingFile } from './input/growing-file.ts';
import type { LibraryLog } from './library-log.ts';

/** Services that every task in the child uses. */
export interface TaskContext {
  readonly libraryLog: LibraryLog;
  readonly pacer: ProgressPacer;
  /** Threads that a decoder or an encoder may use. */
  readonly threads: number;
  /** The files that are still arriving, by their numbers in the task (`input-files.ts`). */
  readonly growingFiles: ReadonlyMap<number, GrowingFile>;
}

/** A stream of an input, with its name in messages: `The h264 video of input 1`. */
export interface NamedStream {
  readonly stream: Stream;
  readonly label: string;
}

/** Takes the packets of one stream of an input, in the stream's own time base but on the result's clock. */
export interface Sink {
  /** Takes a packet's contents, or leaves them. */
  push(packet: Packet): void;
  /**
   * Called when the input's next part begins: packets from now on belong to `next`, or the part has no such stream.
   *
   * @throws MillraceError `input_unreadable` for a stream that cannot be decoded.
   */
  startPart(next: NamedStream | undefined): void | Promise<void>;
  /** The stream has ended: nothing more is pushed. */
  end(): void;
  /** What could not be decoded, as a sentence; called once the stream has ended. */
  describeLosses?(): string | undefined;
  /** Packets that were left out because the part before still plays when they begin; absent where none can be. */
  overlapCount?(): number;
  /** Packets that gave no frame to be encoded; absent where nothing is decoded. */
  undecodedPackets?(): number;
  /** When its audio plays in the mix that it is part of; called once the stream has ended. */
  mixExtent?(): Extent;
}

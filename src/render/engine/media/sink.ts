import type { Packet, Stream } from 'node-av/lib';
import type { ProgressPacer } from '../tasks/progress-pacer.ts';
import type { Extent } from '../timing/timeline.ts';
import type { GrowingFile } from './input/growing-file.ts';
import type { LibraryLog } from './library-log.ts';

/** Receives the packets of streams that are only read because they determine the clocks, or their own times. */
export const ignoredPackets: Sink = { push: () => undefined, startPart: () => undefined, end: () => undefined };

/** Takes the place of a writer where there is no result that could fail. */
export const noWriter = { failed: false, check: async () => undefined };

/** Resources shared by every task in the child. */
export interface TaskContext {
  readonly libraryLog: LibraryLog;
  readonly pacer: Pick<ProgressPacer, 'shouldReport' | 'reportAndYield'>;
  /** Maximum number of threads of a decoder or encoder. */
  readonly threads: number;
  /** Milliseconds that the task may take; absent without a limit. */
  readonly timeLimit?: number;
  /** The files that are still growing, by their numbers in the task (`input-files.ts`). */
  readonly growingFiles: ReadonlyMap<number, GrowingFile>;
}

/** A stream of an input, with its name in messages: `The h264 video of input 1`. */
export interface NamedStream {
  readonly stream: Stream;
  readonly label: string;
}

/** Receives the packets of one stream of an input, in the stream's own time base but on the result's clock. */
export interface Sink {
  /** Receives a packet. May take over its contents. */
  push(packet: Packet): void;
  /**
   * Called when the input's next part begins. Later packets belong to `next`; undefined if the part has no such stream.
   *
   * @throws MillraceError `input_unreadable` for a stream that cannot be decoded.
   */
  startPart(next: NamedStream | undefined): void | Promise<void>;
  /** Called at the end of the stream; nothing is pushed afterwards. */
  end(): void;
  /** Describes what could not be decoded, as a sentence. Called once the stream has ended. */
  describeLosses?(): string | undefined;
  /**
   * Returns the number of packets that were dropped, because they begin while the previous part still plays, are only
   * parts of frames, or are padding. Absent if there can be none.
   */
  droppedCount?(): number;
  /** Returns the seconds by which its first packet precedes the first one that plays. Absent if nothing is hidden. */
  leadSeconds?(): number;
  /** Returns the number of packets that yielded no frame to encode. Absent if nothing is decoded. */
  undecodedPackets?(): number;
  /** Returns when its audio plays in the mix. Called once the stream has ended. */
  mixExtent?(): Extent;
}

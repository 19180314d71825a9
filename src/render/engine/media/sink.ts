import type { Packet } from 'node-av/lib';
import type { ArrivingFile } from './arriving.ts';
import type { Pace } from './pace.ts';
import type { Words } from './words.ts';

/** What every task in the child works with. */
export interface Workbench {
  readonly words: Words;
  readonly pace: Pace;
  /** Threads that a decoder or an encoder may use. */
  readonly threads: number;
  /** The inputs that are still arriving, by their place among the task's inputs. */
  readonly arriving: ReadonlyMap<number, ArrivingFile>;
}

/** Takes the packets of one stream of an input, in the stream's own time base but on the result's clock. */
export interface Sink {
  /** Takes a packet's contents, or leaves them. */
  push(packet: Packet): void;
  /** The stream has ended: nothing more is pushed. */
  end(): void;
}

import { MillraceError } from '../../../contract/errors.ts';
import { FileFigures, type StreamFigures } from '../figures.ts';
import { decline } from '../mp4/declined.ts';
import type { SegmentTable } from '../segment-table.ts';
import { SegmentTimes } from '../segment-times.ts';
import { verifySegments } from '../verify-segments.ts';
import type { ProgramStream } from './program.ts';

/** A packet as the file has it. Times are in seconds of the file's clock. */
export interface MeasuredPacket {
  /** Offset in the file. */
  readonly position: number;
  readonly decoded: number;
  readonly shown: number;
  readonly duration: number;
}

/** What a file holds by its own timestamps: for the proof of the result, and for its playlist. */
export class Measures {
  readonly #figures: FileFigures;
  readonly #times: SegmentTimes;
  readonly #table: SegmentTable | undefined;

  /** @param ends - where the pieces of the file end; grows while it arrives. */
  constructor(streams: readonly ProgramStream[], table: SegmentTable | undefined, ends: readonly number[]) {
    this.#figures = new FileFigures({ continuous: streams.map(() => true), mayJump: true });
    this.#times = new SegmentTimes(
      ends,
      streams.map(({ kind }) => kind),
    );
    this.#table = table;
  }

  /** Takes the next packet of a stream. */
  add(stream: number, packet: MeasuredPacket): void {
    this.#figures.add(stream, packet.decoded, packet.shown, packet.duration);
    if (this.#table !== undefined) this.#times.add(stream, packet);
  }

  /** The figures of each stream. */
  figures(): (StreamFigures | undefined)[] {
    return this.#figures.all();
  }

  /**
   * Compares the segments with what the playlist declares.
   *
   * @param jobInput - index of the job's input.
   * @returns Seconds that it declares too much.
   * @throws Declined if it declares more than that: the media library has the last word.
   */
  verifySegments(jobInput: number): number {
    const [table, streams] = [this.#table, this.#times.streams()];
    if (table === undefined) return 0;
    try {
      return verifySegments({ table, streams, jumped: false, wentBack: false, jobInput });
    } catch (error) {
      if (error instanceof MillraceError) decline(error.message);
      throw error;
    }
  }
}

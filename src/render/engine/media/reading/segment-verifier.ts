import { AVERROR_EAGAIN } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { withInput } from '../../../../contract/errors.ts';
import type { PlaylistSegments } from '../../tasks/playlist-segments.ts';
import { ChunkTimes } from '../../verification/chunk-times.ts';
import { verifySegments } from '../../verification/verify-segments.ts';
import type { GrowingFile } from '../input/growing-file.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';
import type { InputClock } from './input-clock.ts';

/**
 * What measures the segments of a file, if it is of a playlist.
 *
 * @param growingFile - set if the file is not there yet.
 */
export function createSegmentVerifier(
  input: MediaInput,
  clock: InputClock,
  table: PlaylistSegments | undefined,
  growingFile: GrowingFile | undefined,
): SegmentVerifier | undefined {
  const ends = growingFile?.ends ?? table?.ends;
  return table === undefined || ends === undefined ? undefined : new SegmentVerifier(input, clock, table, ends);
}

/** Reads that may bring nothing in a row before the input counts as stuck. */
export const maxIdleReads = 1000;

/** Measures the segments of a file while it is read, and compares them with its playlist. */
export class SegmentVerifier {
  readonly #input: MediaInput;
  readonly #clock: InputClock;
  readonly #table: PlaylistSegments;
  readonly #times: ChunkTimes;
  /** Seconds of one tick of each stream. */
  readonly #ticks: readonly number[];

  /** @param ends - where the segments of the file end; grows while it arrives. */
  constructor(input: MediaInput, clock: InputClock, table: PlaylistSegments, ends: readonly number[]) {
    this.#input = input;
    this.#clock = clock;
    this.#table = table;
    const kinds = input.sources.map(({ kind }, at) => (isContinuous(input, at) ? kind : undefined));
    this.#times = new ChunkTimes(ends, kinds);
    this.#ticks = input.streams.map(({ timeBase: { num, den } }) => num / den);
  }

  /** Takes the packet that was put on the result's clock last. */
  add(packet: Packet, stream: number): void {
    if (!this.#times.includes(stream)) return;
    const tick = this.#ticks[stream] ?? 0;
    const { pts, dts, duration } = this.#clock.latest;
    const decoded = dts === undefined ? this.#clock.position : Number(dts) * tick;
    const presented = pts === undefined ? decoded : Number(pts) * tick;
    this.#times.add(stream, {
      position: Number(packet.pos),
      presentationTime: presented,
      decodingTime: decoded,
      duration: Number(duration) * tick,
    });
  }

  /**
   * Reads the rest of a file that could not be processed, since its segments may be the reason.
   *
   * @throws MillraceError of {@link verify}.
   */
  verifyRest(): void {
    const packet = new Packet();
    packet.alloc();
    for (let idleReads = 0; idleReads < maxIdleReads; ) {
      const result = this.#input.readPacket(packet);
      if (result === AVERROR_EAGAIN) idleReads += 1;
      else if (result < 0) break;
      else {
        idleReads = 0;
        if (this.#times.includes(packet.streamIndex) && packet.size > 0) {
          this.#clock.correct(packet, packet.streamIndex);
          this.add(packet, packet.streamIndex);
        }
        packet.unref();
      }
    }
    try {
      this.verify();
    } catch (error) {
      throw withInput(error, this.#input.jobInput);
    }
  }

  /**
   * To be called when the file was read.
   *
   * @returns Seconds that the playlist declares too much.
   * @throws MillraceError of {@link verifySegments}.
   */
  verify(): number {
    const { origin, lastOrigin } = this.#clock;
    const streams = this.#times.streams();
    // A file without any packet is refused as a whole.
    if (streams.length === 0) return 0;
    return verifySegments({
      playlist: this.#table,
      streams,
      jumped: origin !== lastOrigin,
      wentBack: lastOrigin > origin,
      jobInput: this.#input.jobInput,
    });
  }
}

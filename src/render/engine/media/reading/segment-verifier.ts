import { AVERROR_EAGAIN } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { withInput } from '../../../../contract/errors.ts';
import { withFile } from '../../binary/byte-source.ts';
import { digestRange } from '../../binary/digest-range.ts';
import type { PlaylistSegments } from '../../tasks/playlist-segments.ts';
import type { Timestamps } from '../../timing/timeline.ts';
import { ChunkTimes, type TimedPacket } from '../../verification/chunk-times.ts';
import { verifySegmentOrder } from '../../verification/verify-segment-order.ts';
import { verifySegments } from '../../verification/verify-segments.ts';
import type { GrowingFile } from '../input/growing-file.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';
import type { InputClock } from './input-clock.ts';

/**
 * Creates the verifier for the segments of a file; undefined if the file does not come from a playlist.
 *
 * @param growingFile - set if the file is still growing.
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

/** Number of consecutive reads without data after which the input counts as stuck. */
export const maxIdleReads = 1000;

/** Measures the segments of a file while it is read, and compares them with its playlist. */
export class SegmentVerifier {
  readonly #input: MediaInput;
  readonly #clock: InputClock;
  readonly #table: PlaylistSegments;
  readonly #ends: readonly number[];
  readonly #times: ChunkTimes;
  /** The times by the timestamps in the file. */
  readonly #timesInFile: ChunkTimes;
  /** Duration of one tick of each stream, in seconds. */
  readonly #ticks: readonly number[];

  /** @param ends - end offsets of the file's segments; grows with the file. */
  constructor(input: MediaInput, clock: InputClock, table: PlaylistSegments, ends: readonly number[]) {
    this.#input = input;
    this.#clock = clock;
    this.#table = table;
    const kinds = input.sources.map(({ kind }, at) => (isContinuous(input, at) ? kind : undefined));
    this.#ends = ends;
    this.#times = new ChunkTimes(ends, kinds);
    this.#timesInFile = new ChunkTimes(ends, kinds);
    this.#ticks = input.streams.map(({ timeBase: { num, den } }) => num / den);
  }

  /** Adds the packet that was most recently mapped to the result's clock. */
  add(packet: Packet, stream: number): void {
    if (!this.#times.includes(stream)) return;
    const { latest, latestInFile, position } = this.#clock;
    this.#times.add(stream, this.#timed(packet, stream, latest, position));
    // A file without timestamps has only those that the clock assigns.
    if ((latestInFile.pts ?? latestInFile.dts) !== undefined)
      this.#timesInFile.add(stream, this.#timed(packet, stream, latestInFile, 0));
  }

  /** Returns a packet with its times in seconds; `fallback` is its decoding time if it has no timestamps. */
  #timed({ pos }: Packet, stream: number, { pts, dts, duration }: Timestamps, fallback: number): TimedPacket {
    const tick = this.#ticks[stream] ?? 0;
    const decodingTime = dts === undefined ? fallback : Number(dts) * tick;
    const presentationTime = pts === undefined ? decodingTime : Number(pts) * tick;
    return { position: Number(pos), presentationTime, decodingTime, duration: Number(duration) * tick };
  }

  /**
   * Reads the rest of a file that could not be processed, because its segments may be the reason.
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
   * Verifies the segments once the file has been read.
   *
   * @returns Number of seconds by which the playlist overstates the duration.
   * @throws MillraceError of {@link verifySegmentOrder} and {@link verifySegments}.
   */
  verify(): number {
    const { origin, lastOrigin } = this.#clock;
    const streams = this.#times.streams();
    // A file without packets is refused as a whole.
    if (streams.length === 0) return 0;
    const { jobInput, path } = this.#input;
    verifySegmentOrder({
      playlist: this.#table,
      ends: this.#ends,
      streams: this.#timesInFile.streams(),
      digestOf: (from, to) => withFile(path, (file) => digestRange(file, from, to)),
      jobInput,
    });
    return verifySegments({
      playlist: this.#table,
      streams,
      jumped: origin !== lastOrigin,
      wentBack: lastOrigin > origin,
      jobInput,
    });
  }
}

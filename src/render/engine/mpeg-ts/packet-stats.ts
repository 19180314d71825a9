import { MillraceError } from '../../../contract/errors.ts';
import { decline } from '../binary/fast-path-declined.ts';
import type { PlaylistSegments } from '../tasks/playlist-segments.ts';
import { FileStats, type StreamStats } from '../timing/stream-stats.ts';
import { ChunkTimes } from '../verification/chunk-times.ts';
import { verifySegments } from '../verification/verify-segments.ts';
import type { ProgramStream } from './program-tables.ts';

/** A packet as stored in the file. Times are in seconds of the file's clock. */
interface TimedPacket {
  /** Offset in the file. */
  readonly position: number;
  readonly dts: number;
  readonly pts: number;
  readonly duration: number;
}

/**
 * Statistics of a file by its own timestamps, for the verification of the result and the comparison with its playlist.
 */
export class PacketStats {
  readonly #stats: FileStats;
  readonly #times: ChunkTimes;
  /** Packet duration of each stream, in seconds. */
  readonly #durations: number[];
  readonly #table: PlaylistSegments | undefined;

  /** @param segmentEnds - ends of the segments of the file. The list grows while the file arrives. */
  constructor(streams: readonly ProgramStream[], table: PlaylistSegments | undefined, segmentEnds: readonly number[]) {
    this.#stats = new FileStats({ continuous: streams.map(() => true), mayJump: true });
    this.#times = new ChunkTimes(
      segmentEnds,
      streams.map(({ kind }) => kind),
    );
    this.#durations = streams.map(() => 0);
    this.#table = table;
  }

  /** Takes the next packet of a stream. `duration` is the best estimate so far of the duration of its packets. */
  add(stream: number, { position, dts, pts, duration }: TimedPacket): void {
    this.#stats.add(stream, dts, pts, duration);
    this.#durations[stream] = duration;
    // Durations are added when the final estimate is known.
    if (this.#table !== undefined)
      this.#times.add(stream, { position, decodingTime: dts, presentationTime: pts, duration: 0 });
  }

  /** Returns the statistics of each stream. */
  stats(): (StreamStats | undefined)[] {
    return this.#stats.all();
  }

  /**
   * Compares the segments with what the playlist declares.
   *
   * @param jobInput - index of the job's input.
   * @returns Number of seconds by which the playlist overstates the duration.
   * @throws FastPathDeclined if the difference is too large. The media library then decides.
   */
  verifySegments(jobInput: number): number {
    const table = this.#table;
    if (table === undefined) return 0;
    // Files with a stream without packets were declined, so this list contains all streams.
    const streams = this.#times.streams().map(({ timeRanges, ...times }, stream) => {
      const duration = this.#durations[stream] ?? 0;
      return {
        ...times,
        timeRanges: timeRanges.map((timeRange) => timeRange && { ...timeRange, end: timeRange.end + duration }),
      };
    });
    try {
      return verifySegments({ playlist: table, streams, jumped: false, wentBack: false, jobInput });
    } catch (error) {
      if (error instanceof MillraceError) decline(error.message);
      throw error;
    }
  }
}

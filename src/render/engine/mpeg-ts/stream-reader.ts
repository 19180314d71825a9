import { decline } from '../binary/fast-path-declined.ts';
import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import type { PlaylistSegments } from '../tasks/playlist-segments.ts';
import type { TrackPlan } from '../track-plan/track.ts';
import { AudioStream } from './audio-stream.ts';
import { Demuxer } from './demuxer.ts';
import type { ElementaryStream } from './elementary-stream.ts';
import type { MediaWriter } from './media-writer.ts';
import { PacketStats } from './packet-stats.ts';
import { readPesHeader, unwrapTimestamp } from './pes-header.ts';
import type { ProgramStream } from './program-tables.ts';
import { clockRate } from './track-builder.ts';
import { VideoStream } from './video-stream.ts';

/** Maximum time from one packet of the file to the next one of any stream, in seconds. */
const maxGapSeconds = 5;

/** The kind of a stream, before any of its packets is read. */
type StreamKind = Pick<Track, 'kind' | 'codec'>;

const codecs = { video: 'h264', audio: 'aac' } as const;

/** A stream of the file that is copied. */
interface CopiedStream {
  /** Its index among the streams of the file. */
  readonly index: number;
  readonly track: Track;
  readonly samples: SampleList;
}

/** Options of a reader. */
interface ReaderOptions {
  readonly segments: PlaylistSegments | undefined;
  /** Ends of the segments of the file. The list grows while the file arrives. */
  readonly segmentEnds: readonly number[];
  /** Receives the media of the copied streams. */
  readonly output: MediaWriter;
  /** Decides which streams are copied. */
  readonly planTracks: (streams: readonly StreamKind[]) => TrackPlan;
}

/** Reads the streams of a transport stream: measures them and copies their media to an output. */
export class StreamReader {
  readonly #options: ReaderOptions;
  readonly #demuxer: Demuxer;
  #trackPlan: TrackPlan | undefined;
  #packetStats: PacketStats | undefined;
  #streams: readonly ElementaryStream[] = [];
  /** Decoding times of the last and of the first packet, in ticks of 90 kHz that never wrap around. */
  #clock: number | undefined;
  #begin = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#demuxer = new Demuxer(options.segmentEnds, (streams) => this.#start(streams));
  }

  /** Seconds from the first packet to the last one. */
  get seconds(): number {
    return ((this.#clock ?? 0) - this.#begin) / clockRate;
  }

  /** Whether all streams have started. */
  get hasStarted(): boolean {
    return this.#streams.every(({ hasStarted }) => hasStarted);
  }

  /** Statistics by the file's own timestamps. */
  get packetStats(): PacketStats {
    return this.#packetStats ?? decline('it has no program');
  }

  /** The streams that are copied. */
  get trackPlan(): TrackPlan {
    return this.#trackPlan ?? decline('it has no program');
  }

  /** Reads the packets that begin at offset `position` of the file. */
  read(block: Buffer, length: number, position: number): void {
    this.#demuxer.read(block, length, position);
  }

  /** Must be called after all packets have been read. */
  end(): void {
    this.#demuxer.end();
    for (const stream of this.#streams) stream.end();
  }

  /** Returns the copied streams in the order of the result, with the data that has been read from them. */
  copiedStreams(): CopiedStream[] {
    return copiedIndexesOf(this.trackPlan).map((index) => {
      const stream = this.#streams[index] ?? decline('it has no program');
      return { index, track: stream.track(), samples: stream.samples };
    });
  }

  #start(streams: readonly ProgramStream[]) {
    const { segments, segmentEnds, output, planTracks } = this.#options;
    const trackPlan = planTracks(streams.map(({ kind }) => ({ kind, codec: codecs[kind] })));
    const [copiedIndexes, packetStats] = [copiedIndexesOf(trackPlan), new PacketStats(streams, segments, segmentEnds)];
    [this.#trackPlan, this.#packetStats] = [trackPlan, packetStats];
    this.#streams = streams.map(({ kind, language }, index) => {
      const streamOptions = {
        packetStats,
        index,
        language,
        output: copiedIndexes.includes(index) ? output : undefined,
      };
      return kind === 'video' ? new VideoStream(streamOptions) : new AudioStream(streamOptions);
    });
    return this.#streams.map((stream, at) => (bytes: Buffer, length: number, position: number) => {
      const { pts, dts, payloadOffset } = readPesHeader(bytes, length, streams[at]?.kind ?? 'video');
      const unwrappedDts = this.#advance(dts);
      const unwrappedPts = unwrapTimestamp(pts, unwrappedDts);
      stream.takePacket({
        bytes: bytes.subarray(0, length),
        payloadOffset,
        position,
        dts: unwrappedDts,
        pts: unwrappedPts,
      });
    });
  }

  /** Unwraps a time so that it follows the previous ones, even if the file's clock has wrapped around. */
  #advance(dts: number): number {
    if (this.#clock === undefined) this.#begin = dts;
    const clock = this.#clock ?? dts;
    const unwrappedDts = unwrapTimestamp(dts, clock);
    if (Math.abs(unwrappedDts - clock) > maxGapSeconds * clockRate)
      decline('its clock jumps, or its streams are far apart');
    // The media library places such a packet 26 hours later.
    if (unwrappedDts < 0) decline('its clock goes below zero');
    this.#clock = unwrappedDts;
    return unwrappedDts;
  }
}

/** Returns the indexes of the copied streams, in the order of the result. */
function copiedIndexesOf({ tracks }: TrackPlan): number[] {
  return tracks.flatMap(({ sources }) => sources.map(({ index }) => index));
}

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

/** Seconds from one packet of the file to the next one of any stream, at most. */
const maxGapSeconds = 5;

/** What a stream is, before any of its packets is read. */
type StreamKind = Pick<Track, 'kind' | 'codec'>;

const codecs = { video: 'h264', audio: 'aac' } as const;

/** A stream of the file that is copied. */
interface CopiedStream {
  /** Its index among the streams of the file. */
  readonly index: number;
  readonly track: Track;
  readonly samples: SampleList;
}

/** What a file is read with. */
interface ReaderOptions {
  readonly segments: PlaylistSegments | undefined;
  /** Where the segments of the file end; grows while it arrives. */
  readonly segmentEnds: readonly number[];
  /** Takes the media of the streams that are copied. */
  readonly output: MediaWriter;
  /** Decides which streams are copied. */
  readonly planTracks: (streams: readonly StreamKind[]) => TrackPlan;
}

/** Reads the streams of a transport stream: their media goes to an output, and they are measured. */
export class StreamReader {
  readonly #options: ReaderOptions;
  readonly #demuxer: Demuxer;
  #trackPlan: TrackPlan | undefined;
  #packetStats: PacketStats | undefined;
  #streams: readonly ElementaryStream[] = [];
  /** When the last packet is decoded and the first one was, in ticks of 90 kHz that do not start over. */
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

  /** What the file's own timestamps show. */
  get packetStats(): PacketStats {
    return this.#packetStats ?? decline('it has no program');
  }

  /** Which streams are copied. */
  get trackPlan(): TrackPlan {
    return this.#trackPlan ?? decline('it has no program');
  }

  /** Reads the packets that begin at `position` of the file. */
  read(block: Buffer, length: number, position: number): void {
    this.#demuxer.read(block, length, position);
  }

  /** To be called when all has been read. */
  end(): void {
    this.#demuxer.end();
    for (const stream of this.#streams) stream.end();
  }

  /** The streams that are copied, in the order of the result, with what was read of them. */
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

  /** Puts a time behind the ones before, though the file's clock may have started over. */
  #advance(dts: number): number {
    if (this.#clock === undefined) this.#begin = dts;
    const clock = this.#clock ?? dts;
    const unwrappedDts = unwrapTimestamp(dts, clock);
    if (Math.abs(unwrappedDts - clock) > maxGapSeconds * clockRate)
      decline('its clock jumps, or its streams are far apart');
    // The media library puts such a packet 26 hours later.
    if (unwrappedDts < 0) decline('its clock goes back beyond zero');
    this.#clock = unwrappedDts;
    return unwrappedDts;
  }
}

/** Indexes of the streams that are copied, in the order of the result. */
function copiedIndexesOf({ tracks }: TrackPlan): number[] {
  return tracks.flatMap(({ sources }) => sources.map(({ index }) => index));
}

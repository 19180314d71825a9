import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import type { MediaWriter } from './media-writer.ts';
import type { PacketStats } from './packet-stats.ts';

/** A PES packet of a stream, whose bytes are good until it was taken. */
export interface PesPacket {
  /** End where the packet ends. */
  readonly bytes: Buffer;
  /** Where the payload begins. */
  readonly payloadOffset: number;
  /** Offset in the file. */
  readonly position: number;
  /** When it is decoded and shown, in ticks of 90 kHz that do not start over. */
  readonly dts: number;
  readonly pts: number;
}

/** A stream of the input, which becomes a track. */
export interface ElementaryStream {
  /** Whether enough of it was read to describe the track and tell how long its samples take. */
  readonly hasStarted: boolean;
  readonly samples: SampleList;
  /** Describes the track, once the stream has started. */
  track(): Track;
  takePacket(packet: PesPacket): void;
  /** To be called when all has been read. */
  end(): void;
}

/** What a stream works with. */
export interface StreamOptions {
  readonly packetStats: PacketStats;
  /** Its index among the streams of the input. */
  readonly index: number;
  readonly language: string | undefined;
  /** Where its media goes; undefined for a stream that is only measured. */
  readonly output: MediaWriter | undefined;
}

import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import type { MediaWriter } from './media-writer.ts';
import type { PacketStats } from './packet-stats.ts';

/** A PES packet of a stream. Its bytes are only valid during the call that takes it. */
export interface PesPacket {
  /** Bytes up to the end of the packet. */
  readonly bytes: Buffer;
  /** Offset of the payload in `bytes`. */
  readonly payloadOffset: number;
  /** Offset in the file. */
  readonly position: number;
  /** Decoding and presentation time, in ticks of 90 kHz that never wrap around. */
  readonly dts: number;
  readonly pts: number;
}

/** A stream of the input, which becomes a track. */
export interface ElementaryStream {
  /** Whether enough was read to describe the track and to know how long its samples last. */
  readonly hasStarted: boolean;
  readonly samples: SampleList;
  /** Describes the track, once the stream has started. */
  track(): Track;
  takePacket(packet: PesPacket): void;
  /** Must be called after all packets have been read. */
  end(): void;
}

/** Options of a stream. */
export interface StreamOptions {
  readonly packetStats: PacketStats;
  /** Its index among the streams of the input. */
  readonly index: number;
  readonly language: string | undefined;
  /** Receives its media; undefined for a stream that is only measured. */
  readonly output: MediaWriter | undefined;
}

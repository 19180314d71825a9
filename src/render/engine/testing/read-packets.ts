import { createHash } from 'node:crypto';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';

/** A track as seen by an independent reader, which shares no code with the reader under test. */
export interface PacketTrack {
  readonly kind: string;
  readonly codec: string | null;
  /** Its packets in decoding order. */
  readonly packets: readonly TrackPacket[];
}

/** A packet. */
interface TrackPacket {
  /** Presentation time and duration in seconds. */
  readonly time: number;
  readonly duration: number;
  readonly key: boolean;
  /** Hash of its bytes. */
  readonly hash: string;
}

/** Reads all packets of a media file. */
export async function readPackets(path: string): Promise<PacketTrack[]> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  try {
    const tracks: PacketTrack[] = [];
    for (const track of await input.getTracks()) {
      const packets: TrackPacket[] = [];
      for await (const { timestamp, duration, type, data } of new EncodedPacketSink(track).packets()) {
        const hash = createHash('sha1').update(data).digest('base64');
        packets.push({ time: round(timestamp), duration: round(duration), key: type === 'key', hash });
      }
      tracks.push({ kind: track.type, codec: await track.getCodec(), packets });
    }
    return tracks;
  } finally {
    input.dispose();
  }
}

/** Rounds to ten microseconds, the maximum difference between equal times on two clocks. */
function round(seconds: number): number {
  return Math.round(seconds * 1e5) / 1e5 + 0;
}

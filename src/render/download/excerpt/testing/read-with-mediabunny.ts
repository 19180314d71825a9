import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { hash } from '../../testing/downloads.ts';

/** A packet as an independent library reads it. */
interface ReadPacket {
  /** Seconds. */
  readonly timestamp: number;
  readonly isKey: boolean;
  readonly hash: string;
}

/** A track as an independent library reads it. */
interface ReadTrack {
  readonly kind: 'video' | 'audio';
  /** In decoding order. */
  readonly packets: readonly ReadPacket[];
}

/** Reads the video and audio of a file with a library that the service does not use. */
export async function readWithMediabunny(file: Buffer): Promise<ReadTrack[]> {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const read: ReadTrack[] = [];
  try {
    for (const track of await input.getTracks()) {
      if (!track.isVideoTrack() && !track.isAudioTrack()) continue;
      const packets: ReadPacket[] = [];
      for await (const { timestamp, type, data } of new EncodedPacketSink(track).packets()) {
        packets.push({ timestamp, isKey: type === 'key', hash: hash(Buffer.from(data)) });
      }
      read.push({ kind: track.isVideoTrack() ? 'video' : 'audio', packets });
    }
    return read;
  } finally {
    input.dispose();
  }
}

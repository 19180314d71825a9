import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

/** A track, with the presentation time of each packet in seconds, in decoding order. */
export interface TimedTrack {
  readonly kind: string;
  readonly codec: string | null;
  readonly times: readonly number[];
  /** Positions of the keyframes among its packets. */
  readonly keys: readonly number[];
}

/** Reads the presentation time of each packet of a media file, video first. */
export async function timesOf(file: Buffer): Promise<TimedTrack[]> {
  const input = new Input({ source: new BufferSource(new Uint8Array(file)), formats: ALL_FORMATS });
  const tracks: TimedTrack[] = [];
  for (const track of await input.getTracks()) {
    const times: number[] = [];
    const keys: number[] = [];
    for await (const { timestamp, type } of new EncodedPacketSink(track).packets()) {
      if (type === 'key') keys.push(times.length);
      times.push(timestamp);
    }
    tracks.push({ kind: track.type, codec: await track.getCodec(), times, keys });
  }
  return tracks.toSorted((a, b) => b.kind.localeCompare(a.kind));
}

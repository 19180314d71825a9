import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

/** A track, with the seconds at which each packet is shown, in the order of decoding. */
export interface TimedTrack {
  readonly kind: string;
  readonly codec: string | null;
  readonly times: readonly number[];
  /** Places of the key frames among its packets. */
  readonly keys: readonly number[];
}

/** Reads when each packet of a media file is shown, video first. */
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

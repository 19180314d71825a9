import { createHash } from 'node:crypto';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

/** A stream of a media file. */
interface MediaTrack {
  readonly kind: string;
  readonly codec: string | null;
  /** Seconds from the start of its first packet to the end of its last one. */
  readonly duration: number;
  readonly packets: number;
}

/** Returns the content of a media file, with a reader that shares no code with the engine that made it. */
export async function inspect(file: Buffer): Promise<{ mimeType: string; duration: number; tracks: MediaTrack[] }> {
  const input = new Input({ source: new BufferSource(new Uint8Array(file)), formats: ALL_FORMATS });
  const tracks: MediaTrack[] = [];
  for (const track of await input.getTracks()) {
    const { packetCount } = await track.computePacketStats();
    const duration = (await track.computeDuration()) - (await track.getFirstTimestamp());
    tracks.push({ kind: track.type, codec: track.codec, duration, packets: packetCount });
  }
  return { mimeType: await input.getMimeType(), duration: await input.computeDuration(), tracks };
}

/** Presentation times of the packets of a stream. */
export interface PacketTimes {
  readonly kind: string;
  /** Seconds from the file's first packet, in decoding order. */
  readonly packets: readonly { readonly time: number; readonly end: number }[];
}

/** Returns the presentation time of each packet of a media file. */
export async function packetTimes(file: Buffer): Promise<PacketTimes[]> {
  const input = new Input({ source: new BufferSource(new Uint8Array(file)), formats: ALL_FORMATS });
  const zero = await input.getFirstTimestamp();
  const times: PacketTimes[] = [];
  for (const track of await input.getTracks()) {
    const packets: { time: number; end: number }[] = [];
    for await (const { timestamp, duration } of new EncodedPacketSink(track).packets()) {
      packets.push({ time: timestamp - zero, end: timestamp - zero + duration });
    }
    times.push({ kind: track.type, packets });
  }
  return times;
}

/** Returns a digest of a file's audio, which is the same in every container that the audio is copied to. */
export async function soundOf(file: Buffer): Promise<string> {
  const { audio } = await contentsOf(file);
  if (audio === undefined) throw new Error('the file has no audio');
  return audio;
}

/** Returns a digest of the packets of a file's video and audio. */
export async function contentsOf(file: Buffer): Promise<{ readonly video?: string; readonly audio?: string }> {
  const input = new Input({ source: new BufferSource(new Uint8Array(file)), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  return {
    ...(video === null ? {} : { video: await digestOf(new EncodedPacketSink(video)) }),
    ...(audio === null ? {} : { audio: await digestOf(new EncodedPacketSink(audio)) }),
  };
}

async function digestOf(sink: EncodedPacketSink): Promise<string> {
  const hash = createHash('sha256');
  for await (const { data } of sink.packets()) hash.update(data);
  return hash.digest('hex');
}

/** Returns the start times and titles of the chapters in an MP4 file, as listed in Nero's format. */
export function chaptersOf(file: Buffer): [seconds: number, title: string][] {
  const box = file.indexOf('chpl', 0, 'latin1');
  if (box < 0) return [];
  // After the name: version and flags, four reserved bytes, and the number of chapters.
  let at = box + 13;
  return Array.from({ length: file.readUInt8(at - 1) }, () => {
    const start = Number(file.readBigUInt64BE(at)) / 1e7;
    const end = at + 9 + file.readUInt8(at + 8);
    const title = file.toString('utf8', at + 9, end);
    at = end;
    return [start, title];
  });
}

/** Returns the pixels of a JPEG or of a video: `1280x720`. */
export async function frameSize(file: Buffer): Promise<string> {
  const { width, height } = file.readUInt16BE(0) === 0xffd8 ? jpegSize(file) : await videoSize(file);
  return `${width}x${height}`;
}

/** Size of an image. */
interface Pixels {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the pixels of a JPEG: a list of segments, each with its kind and length. A segment that starts a frame
 * contains them.
 */
export function jpegSize(file: Buffer): Pixels {
  for (let at = 2; at < file.length; at += 2 + file.readUInt16BE(at + 2)) {
    const kind = file.readUInt8(at + 1);
    if (kind >= 0xc0 && kind <= 0xc2) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
  }
  throw new Error('the JPEG has no frame');
}

async function videoSize(file: Buffer): Promise<Pixels> {
  const input = new Input({ source: new BufferSource(new Uint8Array(file)), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new Error('the file has no video');
  return { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
}

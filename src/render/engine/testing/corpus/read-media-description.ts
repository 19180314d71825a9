import { createHash } from 'node:crypto';
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AV_PKT_DATA_SKIP_SAMPLES,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVERROR_EOF,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avChannelLayoutDescribe, avGetCodecName, Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { essenceOf } from './essence.ts';
import type { MediaDescription, PacketDescription, StreamDescription } from './media-description.ts';

/**
 * Reads a whole media file with the media library's demuxers, without code of the engine.
 *
 * @throws Error if the file cannot be read to its end.
 */
export function readMediaDescription(path: string): MediaDescription {
  const context = new FormatContext();
  // If a format only has decoding times, the library derives the presentation times.
  demand(context.openInputSync(`file:${path}`, null, Dictionary.fromObject({ fflags: '+genpts' })), path);
  demand(context.findStreamInfoSync(null), path);
  const streams = context.streams.map((stream) => ({
    stream,
    packets: [] as PacketDescription[],
    hash: createHash('sha1'),
  }));
  const format = context.iformat?.name ?? 'unknown';
  const packet = new Packet();
  packet.alloc();
  let result = context.readFrameSync(packet);
  for (; result >= 0; result = context.readFrameSync(packet)) {
    const reader = streams[packet.streamIndex];
    if (reader !== undefined && packet.size > 0) {
      const essence = essenceOf(codecOf(reader.stream), packet.data ?? Buffer.alloc(0));
      reader.hash.update(essence);
      reader.packets.push(describePacket(packet, essence, presentationTimeOf(packet, reader.stream, format)));
    }
    packet.unref();
  }
  if (result !== AVERROR_EOF) demand(result, path);
  const description: MediaDescription = {
    format,
    streams: streams.map(({ stream, packets, hash }) => {
      return {
        ...describeStream(stream),
        essence: hash.digest('base64').slice(0, 8),
        packets: withHeaderEnd(packets, stream, format),
      };
    }),
  };
  context.closeInputSync();
  return description;
}

function demand(result: number, path: string): void {
  if (result < 0) throw new Error(`${path} cannot be read (${result})`);
}

function codecOf({ codecpar }: Stream): string {
  return avGetCodecName(codecpar.codecId) ?? 'unknown';
}

/**
 * Returns the presentation time of a packet. AVI and ASF declare only the decoding time of each H.264 and HEVC frame,
 * and the library guesses the presentation time wrong. Only if frames are not reordered is the presentation time equal
 * to the decoding time.
 */
function presentationTimeOf({ pts, dts }: Packet, { codecpar }: Stream, format: string): bigint {
  const isGuessed =
    ['avi', 'asf'].includes(format) && ['h264', 'hevc'].includes(avGetCodecName(codecpar.codecId) ?? '');
  if (!isGuessed) return pts;
  return codecpar.videoDelay > 0 ? AV_NOPTS_VALUE : dts;
}

/**
 * Corrects the duration of the last packet of VP9 in MP4 from the header, which has the true end. The library replaces
 * all durations with an estimate from the frame rate.
 */
function withHeaderEnd(
  packets: readonly PacketDescription[],
  stream: Stream,
  format: string,
): readonly PacketDescription[] {
  const last = packets.at(-1);
  const duration = Number(stream.duration) - (last?.pts ?? 0);
  if (last === undefined || codecOf(stream) !== 'vp9' || !format.startsWith('mov') || duration <= 0) return packets;
  return [...packets.slice(0, -1), { ...last, duration }];
}

/** Number of ticks from which the Ogg demuxer's durations are negative. The demuxer uses unsigned subtraction. */
const wrapLimit = 2 ** 31;

function describePacket(packet: Packet, essence: Buffer, pts: bigint): PacketDescription {
  const skip = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
  return {
    pts: ticksOf(pts),
    dts: ticksOf(packet.dts),
    duration: packet.duration < wrapLimit ? Number(packet.duration) : 0,
    key: packet.hasFlags(AV_PKT_FLAG_KEY),
    discard: packet.hasFlags(AV_PKT_FLAG_DISCARD),
    bytes: packet.size,
    ...(skip !== null && skip.length >= 8 && { skippedEnd: skip.readUInt32LE(4) }),
    essence: createHash('sha1').update(essence).digest('base64').slice(0, 8),
  };
}

function ticksOf(time: bigint): number | null {
  return time === AV_NOPTS_VALUE ? null : Number(time);
}

const kinds = new Map<number, StreamDescription['kind']>([
  [AVMEDIA_TYPE_VIDEO, 'video'],
  [AVMEDIA_TYPE_AUDIO, 'audio'],
  [AVMEDIA_TYPE_SUBTITLE, 'subtitle'],
  [AVMEDIA_TYPE_DATA, 'data'],
  [AVMEDIA_TYPE_ATTACHMENT, 'attachment'],
]);

const flags = {
  default: AV_DISPOSITION_DEFAULT,
  forced: AV_DISPOSITION_FORCED,
  comment: AV_DISPOSITION_COMMENT,
  'hearing impaired': AV_DISPOSITION_HEARING_IMPAIRED,
  cover: AV_DISPOSITION_ATTACHED_PIC,
};

function describeStream(stream: Stream): Omit<StreamDescription, 'packets' | 'essence'> {
  const { codecpar, timeBase, metadata } = stream;
  const kind = kinds.get(codecpar.codecType) ?? 'data';
  return {
    kind,
    codec: codecOf(stream),
    tick: timeBase.num / timeBase.den,
    delay: codecpar.videoDelay,
    flags: Object.entries(flags).flatMap(([name, flag]) => (stream.hasDisposition(flag) ? [name] : [])),
    traits: {
      language: metadata?.get('language') ?? 'und',
      ...(kind === 'video' ? { ...videoTraits(stream), ...lightTraits(stream) } : {}),
      ...(kind === 'audio' ? audioTraits(stream) : {}),
    },
  };
}

function videoTraits(stream: Stream): Record<string, string> {
  const { codecpar } = stream;
  const { width, height, colorRange, colorPrimaries, colorTrc, colorSpace, sampleAspectRatio } = codecpar;
  // Values of the container take precedence over values of the stream.
  const { num, den } = stream.sampleAspectRatio.num > 0 ? stream.sampleAspectRatio : sampleAspectRatio;
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  return {
    size: `${width}x${height}`,
    range: `${colorRange}`,
    colours: `${colorPrimaries}, ${colorTrc}`,
    matrix: `${colorSpace}`,
    pixels: num === 0 ? '1:1' : `${num}:${den}`,
    ...(matrix === null ? {} : { 'display matrix': matrix.toString('hex') }),
  };
}

/** Returns HDR metadata in the library's form: fractions, which containers reduce or round to floating point. */
function lightTraits({ codecpar }: Stream): Record<string, string> {
  const display = codecpar.getCodedSideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA);
  const content = codecpar.getCodedSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL);
  const fraction = (bytes: Buffer, at: number) => bytes.readInt32LE(8 * at) / bytes.readInt32LE(8 * at + 4);
  return {
    ...(display === null
      ? {}
      : { 'mastering display': Array.from({ length: 10 }, (_, at) => fraction(display, at).toFixed(4)).join() }),
    ...(content === null ? {} : { 'content light level': `${content.readUInt32LE(0)}, ${content.readUInt32LE(4)}` }),
  };
}

function audioTraits({ codecpar }: Stream): Record<string, string> {
  return {
    rate: `${codecpar.sampleRate}`,
    channels: `${codecpar.channels}`,
    layout: avChannelLayoutDescribe(codecpar.channelLayout) ?? 'unknown',
  };
}

import {
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TTF,
  AV_CODEC_ID_WEBVTT,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_FORCED,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_SPHERICAL,
  AV_PKT_FLAG_KEY,
  type AVCodecID,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Dictionary, Packet, Rational, type Stream, stringToFourCC } from 'node-av/lib';
import type { Writer } from '../media/output/result-writer.ts';
import { convertCue, subtitleHeader, type TextSubtitleCodec } from '../subtitles/subtitle-text.ts';

const milliseconds = { num: 1, den: 1000 };

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const subtitleCodecs = { mov_text: AV_CODEC_ID_MOV_TEXT, subrip: AV_CODEC_ID_SUBRIP, webvtt: AV_CODEC_ID_WEBVTT };

/** Rotates a video by a quarter turn: the matrix of ISO/IEC 14496-12 §8.3.2, whose numbers have 16 fractional bits. */
export function setRotation(stream: Stream): void {
  const one = 1 << 16;
  const matrix = new Int32Array([0, one, 0, -one, 0, 0, 0, 0, 1 << 30]);
  stream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, Buffer.from(matrix.buffer));
}

/** Makes a video spherical: FFmpeg's AVSphericalMapping of zeros is a complete sphere in equirectangular projection. */
export function setSpherical(stream: Stream): void {
  stream.codecpar.addCodedSideData(AV_PKT_DATA_SPHERICAL, Buffer.alloc(36));
}

/** Declares the brightness of an HDR video: FFmpeg's AVContentLightMetadata, in candela per square metre. */
export function setContentLight(stream: Stream): void {
  const levels = Buffer.alloc(8);
  levels.writeUInt32LE(1000, 0);
  levels.writeUInt32LE(400, 4);
  stream.codecpar.addCodedSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, levels);
}

/** Adds a cover image. */
export function addCover(writer: Writer): () => void {
  const output = writer.addStream();
  const { codecpar } = output.stream;
  codecpar.codecType = AVMEDIA_TYPE_VIDEO;
  codecpar.codecId = AV_CODEC_ID_PNG;
  codecpar.width = 1;
  codecpar.height = 1;
  output.stream.disposition = AV_DISPOSITION_ATTACHED_PIC;
  return () => output.write(packetOf(png, 0, 0), milliseconds);
}

/** Adds a data stream with a small packet every second. */
export function addData(writer: Writer, codec: AVCodecID, tag?: string): () => void {
  const output = writer.addStream();
  const { codecpar } = output.stream;
  codecpar.codecType = AVMEDIA_TYPE_DATA;
  codecpar.codecId = codec;
  if (tag !== undefined) codecpar.codecTag = stringToFourCC(tag);
  output.stream.timeBase = new Rational(1, 1000);
  return () => {
    for (const second of [0, 1, 2, 3])
      output.write(packetOf(Buffer.from(`data ${second}`), 1000 * second, 1000), milliseconds);
  };
}

/** Attaches a file: a font that no program could use. */
export function addFont(writer: Writer): () => void {
  const { stream } = writer.addStream();
  stream.codecpar.codecType = AVMEDIA_TYPE_ATTACHMENT;
  stream.codecpar.codecId = AV_CODEC_ID_TTF;
  stream.codecpar.extradata = Buffer.from('glyphs');
  stream.metadata = Dictionary.fromObject({ filename: 'font.ttf', mimetype: 'font/ttf' });
  return () => undefined;
}

/** Adds forced subtitles in Italian, with two cues of one second each. */
export function addSubtitles(writer: Writer, codec: TextSubtitleCodec): () => void {
  const output = writer.addStream();
  const { codecpar } = output.stream;
  codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
  codecpar.codecId = subtitleCodecs[codec];
  const header = subtitleHeader(codec);
  if (header !== undefined) codecpar.extradata = header;
  output.stream.timeBase = new Rational(1, 1000);
  output.stream.disposition = AV_DISPOSITION_FORCED;
  output.stream.metadata = Dictionary.fromObject({ language: 'ita', title: 'Sottotitoli' });
  return () => {
    for (const [at, text] of [
      [500, 'Buongiorno <i>!</i>'],
      [2000, 'Due\nrighe & altro'],
    ] as const) {
      const cue = convertCue(Buffer.from(text), 'subrip', codec);
      if (cue !== undefined) output.write(packetOf(cue, at, 1000), milliseconds);
    }
  };
}

/** Adds SubRip subtitles with the given cues, in milliseconds; a duration of 0 is not stored. */
export function addCues(
  writer: Writer,
  cues: readonly (readonly [start: number, duration: number, text: string])[],
): () => void {
  const output = writer.addStream();
  output.stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
  output.stream.codecpar.codecId = AV_CODEC_ID_SUBRIP;
  output.stream.timeBase = new Rational(1, 1000);
  return () => {
    for (const [start, duration, text] of cues) {
      output.write(packetOf(Buffer.from(text), start, duration), milliseconds);
    }
  };
}

/** Returns a packet with times in milliseconds. */
export function packetOf(data: Buffer, pts: number, duration: number): Packet {
  const packet = new Packet();
  packet.alloc();
  packet.data = data;
  packet.pts = packet.dts = BigInt(pts);
  packet.duration = BigInt(duration);
  packet.flags = AV_PKT_FLAG_KEY;
  return packet;
}

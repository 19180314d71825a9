import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_MP1,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_NONE,
} from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import { readFirstPackets } from './read-first-packets.ts';

/**
 * Sets the codec of streams whose four-character code FFmpeg 8.1 does not know: AV1 with Dolby Vision (`dav1`), which
 * any AV1 decoder plays. Its boxes are those of AV1 (Dolby Vision Streams Within the ISO Base Media File Format, §3).
 */
export function identifyUnknownCodecs({ streams }: FormatContext): void {
  for (const { codecpar } of streams) {
    if (codecpar.codecId === AV_CODEC_ID_NONE && codecpar.codecTagString === 'dav1') codecpar.codecId = AV_CODEC_ID_AV1;
  }
}

/** Whether a file has streams that need {@link identifyMpegAudioLayers}. */
export function hasMpegAudio({ streams }: FormatContext): boolean {
  return streams.some(({ codecpar }) => codecpar.codecId === AV_CODEC_ID_MP3);
}

/**
 * Sets the layer of MPEG audio streams. MP4 and MPEG-TS use one codec for all layers, which FFmpeg 8.1 takes for layer
 * III. Many players refuse a Matroska file that declares layer II as layer III.
 *
 * @param context - the streams to correct.
 * @param reader - the same file, opened again so that its packets can be consumed.
 * @param maxBytes - limit for the read position, because the file may still be growing.
 */
export function identifyMpegAudioLayers({ streams }: FormatContext, reader: FormatContext, maxBytes: bigint): void {
  const mpegAudioIndexes = streams
    .filter(({ codecpar }) => codecpar.codecId === AV_CODEC_ID_MP3)
    .map(({ index }) => index);
  readFirstPackets(reader, maxBytes, mpegAudioIndexes, ({ data, streamIndex }) => {
    const codecpar = streams[streamIndex]?.codecpar;
    if (data !== null && codecpar !== undefined) codecpar.codecId = codecOfLayer(data);
    return true;
  });
}

/** Returns the codec for the layer in a frame header (ISO/IEC 11172-3 §2.4.2.3); layer III without a header. */
function codecOfLayer(frame: Buffer): typeof AV_CODEC_ID_MP1 | typeof AV_CODEC_ID_MP2 | typeof AV_CODEC_ID_MP3 {
  if (frame.length < 2 || (frame.readUInt16BE(0) & 0xffe0) !== 0xffe0) return AV_CODEC_ID_MP3;
  const layer = ((frame[1] ?? 0) >> 1) & 3;
  return layer === 3 ? AV_CODEC_ID_MP1 : layer === 2 ? AV_CODEC_ID_MP2 : AV_CODEC_ID_MP3;
}

import type { VideoCodec } from '../../contract/encoding.ts';
import type { MediaMetadata } from '../../contract/media-items.ts';
import { codecFamilies } from '../../hls/codec-families.ts';

/** Names of video codecs as people and programs write them, without punctuation. */
const videoNames: Readonly<Record<string, VideoCodec>> = {
  h264: 'h264',
  x264: 'h264',
  avc: 'h264',
  avc1: 'h264',
  h265: 'h265',
  x265: 'h265',
  hevc: 'h265',
  hev1: 'h265',
  hvc1: 'h265',
  bytevc1: 'h265',
  vp9: 'vp9',
  vp09: 'vp9',
  av1: 'av1',
  av01: 'av1',
};

/** Common names of codecs, by family. */
const shownNames: Readonly<Record<string, string>> = {
  h264: 'H.264',
  h265: 'H.265',
  hevc: 'H.265',
  vp9: 'VP9',
  vp8: 'VP8',
  av1: 'AV1',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
};

/** Returns the video codec with a name such as `avc1`, `H.264` or `vp09.00`; undefined if there is none. */
export function videoCodecNamed(name: string): VideoCodec | undefined {
  const plain = name.toLowerCase().replace('h.26', 'h26').split('.', 1).join('');
  return Object.hasOwn(videoNames, plain) ? videoNames[plain] : undefined;
}

/** Returns the codec of a video; undefined if the platform does not state it. */
export function videoCodecOf(metadata: MediaMetadata): VideoCodec | undefined {
  for (const name of codecStrings(metadata)) {
    const codec = videoCodecNamed(name);
    if (codec !== undefined) return codec;
  }
  return undefined;
}

/** Returns the codecs of a file, such as `H.264 + AAC`; empty if the platform does not state them. */
export function codecsText(metadata: MediaMetadata): string {
  const names = codecStrings(metadata).map((text) => {
    const { video, audio } = codecFamilies([text]);
    const family = video ?? audio ?? videoCodecNamed(text) ?? text;
    return shownNames[family] ?? family;
  });
  return [...new Set(names)].join(' + ');
}

/** Returns the codec strings of a file (RFC 6381), or the platform's own names. */
function codecStrings({ codecs, codec, mime_type: type }: MediaMetadata): readonly string[] {
  const inType = /codecs="?([^";]{1,200})/i.exec(type)?.[1];
  const list = [codecs, inType, codec].find((text) => typeof text === 'string' && text !== '');
  return String(list ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

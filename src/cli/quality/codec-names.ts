import { codecStrings } from '#client/codec-text.ts';
import type { VideoCodec } from '../../contract/encoding.ts';
import type { MediaMetadata } from '../../contract/media-items.ts';

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

/** Returns the video codec with a name such as `avc1`, `H.264` or `vp09.00`; undefined for other names. */
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

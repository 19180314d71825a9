/** The codec families of a stream. A member is absent if the stream has no known codec of that kind. */
export interface CodecFamilies {
  readonly video?: string;
  readonly audio?: string;
}

/** Prefixes of codec strings (RFC 6381 and its successors), longer ones first. */
const families = {
  video: [
    ['avc1', 'h264'],
    ['avc3', 'h264'],
    ['hvc1', 'hevc'],
    ['hev1', 'hevc'],
    ['dvh1', 'hevc'],
    ['dvhe', 'hevc'],
    ['av01', 'av1'],
    ['vp09', 'vp9'],
    ['vp9', 'vp9'],
    ['vp08', 'vp8'],
    ['vp8', 'vp8'],
  ],
  audio: [
    // Object types 0x69 and 0x6B of MPEG-4 (ISO/IEC 14496-1) are MPEG audio.
    ['mp4a.69', 'mp3'],
    ['mp4a.6b', 'mp3'],
    ['mp4a.a5', 'ac3'],
    ['mp4a.a6', 'eac3'],
    ['mp4a', 'aac'],
    ['opus', 'opus'],
    ['ac-3', 'ac3'],
    ['ec-3', 'eac3'],
    ['flac', 'flac'],
    ['vorbis', 'vorbis'],
    ['mp3', 'mp3'],
  ],
} as const;

/** Returns the families of a list of codec strings, such as `h264` and `aac`. */
export function codecFamilies(codecs: readonly string[]): CodecFamilies {
  const video = firstFamily(codecs, families.video);
  const audio = firstFamily(codecs, families.audio);
  return { ...(video === undefined ? {} : { video }), ...(audio === undefined ? {} : { audio }) };
}

function firstFamily(codecs: readonly string[], prefixes: readonly (readonly [string, string])[]): string | undefined {
  for (const codec of codecs) {
    const family = prefixes.find(([prefix]) => codec.toLowerCase().startsWith(prefix));
    if (family !== undefined) return family[1];
  }
  return undefined;
}

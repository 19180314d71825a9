import type { MediaMetadata } from '../../../src/contract/media-items.ts';

/** Common names of codecs, by the beginnings of codec strings (of RFC 6381 and of the platforms). */
const codecNames: readonly (readonly [prefix: RegExp, name: string])[] = [
  [/^(?:avc|h\.?264)/i, 'H.264'],
  [/^(?:hev|hvc|hevc|h\.?265|bytevc1)/i, 'H.265'],
  [/^(?:av01|av1)/i, 'AV1'],
  [/^vp0?9/i, 'VP9'],
  [/^vp0?8/i, 'VP8'],
  [/^(?:mp3|mp4a\.6b|mp4a\.40\.34)/i, 'MP3'],
  [/^(?:mp4a|aac)/i, 'AAC'],
  [/^opus/i, 'Opus'],
  [/^(?:ec-3|eac3)/i, 'E-AC-3'],
  [/^(?:ac-3|ac3)/i, 'AC-3'],
  [/^vorbis/i, 'Vorbis'],
  [/^flac/i, 'FLAC'],
];

/** Returns the codecs of a file, such as `H.264 + AAC`; empty if the platform does not state them. */
export function codecsText(metadata: MediaMetadata): string {
  return [...new Set(codecStrings(metadata).map(codecName))].join(' + ');
}

/** Returns the codec strings of a file (RFC 6381), or the platform's own names. */
export function codecStrings({ codecs, codec, mime_type: type }: MediaMetadata): readonly string[] {
  const inType = /codecs="?([^";]{1,200})/i.exec(type)?.[1];
  const list = [codecs, inType, codec].find((text) => typeof text === 'string' && text !== '');
  return String(list ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function codecName(codec: string): string {
  return codecNames.find(([prefix]) => prefix.test(codec))?.[1] ?? codec;
}

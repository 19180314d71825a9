import type { MediaMetadata } from '#client/index.ts';

const containers: Readonly<Record<string, string>> = {
  'video/mp4': 'MP4',
  'video/webm': 'WebM',
  'audio/mp4': 'M4A',
  'audio/webm': 'WebM',
  'audio/mpeg': 'MP3',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'application/vnd.apple.mpegurl': 'HLS',
  'application/x-mpegurl': 'HLS',
};

/** Returns the container of a file, such as `MP4`. */
export function containerText({ mime_type }: MediaMetadata): string {
  const type = mime_type.split(';', 1).join('').trim().toLowerCase();
  return containers[type] ?? type.slice(type.indexOf('/') + 1).toUpperCase();
}

/** Whether an item is a playlist, which cannot be saved as a file. */
export function isPlaylist(metadata: MediaMetadata): boolean {
  return containerText(metadata) === 'HLS';
}

/** Where a file plays: on practically every device, or only on those of recent years. */
export type Compatibility = 'everywhere' | 'newer';

const codecsEverywhere: ReadonlySet<string> = new Set(['H.264', 'AAC', 'MP3']);
const containersEverywhere: ReadonlySet<string> = new Set(['MP4', 'M4A', 'MP3']);
const newerCodecs: ReadonlySet<string> = new Set(['H.265', 'AV1', 'VP9', 'VP8', 'Opus', 'Vorbis']);

/** Returns where a file plays, by the texts of its container and its codecs; undefined if that is not known. */
export function compatibilityOf(container: string, codecs: string): Compatibility | undefined {
  const names = codecs.split(' + ');
  if (names.some((name) => newerCodecs.has(name))) return 'newer';
  const isCommon = containersEverywhere.has(container) && names.every((name) => codecsEverywhere.has(name));
  return isCommon ? 'everywhere' : undefined;
}

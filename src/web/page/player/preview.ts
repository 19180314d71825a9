import type { ExtractedContent, MediaItem } from '#client/index.ts';
import { isPlaylist } from '../qualities/codecs.ts';

/** The stream with which an item is previewed. */
export interface Preview {
  readonly kind: 'video' | 'audio';
  readonly item: MediaItem;
  /** Whether the item has audio that the preview does not play, because the platform delivers it separately. */
  readonly silent: boolean;
}

/** A preview is small on the screen, so more lines would only cost time. */
const MAX_LINES = 720;

/** Selects the stream with which contents are previewed; undefined if browsers can play none of them. */
export function previewOf(contents: readonly ExtractedContent[]): Preview | undefined {
  const videos = contents.flatMap((content) => content.videos ?? []).filter(({ metadata }) => !isPlaylist(metadata));
  const audios = contents.flatMap((content) => content.audios ?? []).filter(({ metadata }) => !isPlaylist(metadata));
  const whole = videos.find(({ metadata }) => metadata.has_audio);
  if (whole !== undefined) return { kind: 'video', item: whole, silent: false };
  const silent = bestFor(videos.filter(({ metadata }) => metadata.mime_type.startsWith('video/mp4')));
  if (silent !== undefined) return { kind: 'video', item: silent, silent: audios.length > 0 };
  const [audio] = audios;
  return audio === undefined ? undefined : { kind: 'audio', item: audio, silent: false };
}

/** Returns the largest video that is not larger than needed, or else the smallest. */
function bestFor(videos: readonly MediaItem[]): MediaItem | undefined {
  const sorted = videos.toSorted((a, b) => b.metadata.height - a.metadata.height);
  return sorted.find(({ metadata }) => metadata.height <= MAX_LINES) ?? sorted.at(-1);
}

import type { SourceMedia } from '../../contract/source-media.ts';
import type { ContentMedia } from '../../platforms/platform.ts';

/** A media item whose bytes are requested. */
export interface ProbedItem {
  /** Such as `video 720p`. */
  readonly name: string;
  readonly media: SourceMedia;
}

/**
 * Selects the media items that stand for all of an extraction: the largest one of each kind (a file or playlist, with
 * video, audio or both), or the first image if there is nothing else.
 */
export function representativeItems(contents: readonly ContentMedia[] = []): readonly ProbedItem[] {
  const named = (kind: string, list: keyof Omit<ContentMedia, 'subjects' | 'unrenderable'>): readonly ProbedItem[] =>
    contents.flatMap((content) =>
      (content[list] ?? []).map((media) => ({ name: `${kind} ${media.item.label}`, media })),
    );
  const largest = new Map<string, ProbedItem>();
  for (const item of [...named('video', 'videos'), ...named('audio', 'audios')]) {
    const { stream } = item.media;
    const kind = `${stream?.kind ?? 'other'} ${stream?.ext === 'm3u8'}`;
    const other = largest.get(kind);
    if (other === undefined || sizeOf(item.media) > sizeOf(other.media)) largest.set(kind, item);
  }
  return largest.size > 0 ? [...largest.values()] : named('image', 'images').slice(0, 1);
}

/** Returns a number by which items of the same kind are compared. */
function sizeOf({ item, stream }: SourceMedia): number {
  const { width, height } = item.metadata;
  return stream?.bytes ?? stream?.estimatedBytes ?? stream?.bitrate ?? width * height;
}

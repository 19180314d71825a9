import type { ExtractedContent, MediaItem } from '#client/index.ts';

const lists = ['videos', 'audios', 'images'] as const;

/** Whether the link of a media item has expired. */
export function isLinkExpired({ metadata }: MediaItem, now: number = Date.now()): boolean {
  return metadata.expires_at !== undefined && Date.parse(metadata.expires_at) <= now;
}

/** Returns the item at the same place in other contents; undefined if they have fewer items. */
export function sameMedia(
  contents: readonly ExtractedContent[],
  item: MediaItem,
  otherContents: readonly ExtractedContent[],
): MediaItem | undefined {
  for (const [index, content] of contents.entries()) {
    for (const list of lists) {
      if (content[list]?.includes(item) !== true) continue;
      return otherContents[index]?.[list]?.find(({ repId }) => repId === item.repId);
    }
  }
  return undefined;
}

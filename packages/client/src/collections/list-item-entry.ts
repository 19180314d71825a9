import type { ListItem } from '../../../../src/contract/metadata.ts';
import { defined, numberAt, textAt } from '../read-members.ts';
import { recogniseLink } from '../recognise-link.ts';
import type { CollectionEntryKind, EntryFacts } from './collection-entry.ts';

/** Kinds of entries by the types of list items. */
const kinds: Readonly<Record<string, CollectionEntryKind>> = {
  video: 'video',
  short: 'video',
  live: 'video',
  movie: 'video',
  reel: 'video',
  photo: 'image',
  image: 'image',
  post: 'post',
  carousel: 'post',
  channel: 'channel',
  playlist: 'playlist',
  mix: 'playlist',
};

/** Returns the entry for an item of a list. */
export function entryOfListItem(item: ListItem): EntryFacts {
  const { type, id } = item;
  const url = textAt(item, 'url');
  const isUnavailable = item.playable === false || item.upcoming === true;
  return {
    kind: Object.hasOwn(kinds, type) ? (kinds[type] ?? 'other') : 'other',
    id,
    ...defined({
      title: textAt(item, 'title') ?? firstLine(textAt(item, 'caption') ?? textAt(item, 'text')),
      author: textAt(item, 'channel', 'name') ?? textAt(item, 'author', 'name'),
      url,
      duration: numberAt(item, 'duration'),
      thumbnailUrl: textAt(item, 'thumbnails', 0, 'url'),
      publishedAt: textAt(item, 'publishedAt'),
      // The address of a mix is that of its first video.
      link: recogniseLink((type === 'mix' ? mixAddress(id) : url) ?? ''),
      live: type === 'live' || undefined,
      unavailable: isUnavailable || undefined,
    }),
    item,
  };
}

function mixAddress(id: string): string {
  return `https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`;
}

function firstLine(text: string | undefined): string | undefined {
  return text?.trimStart().split('\n', 1)[0]?.trimEnd() || undefined;
}

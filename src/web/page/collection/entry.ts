import { isCollection, type ListItem, recogniseLink } from '#client/index.ts';
import { textAt } from '#client/read-members.ts';
import { pictureAt } from '../common/read-members.ts';
import { addressOf, type Query } from '../query/query.ts';
import { shortTitle } from './short-title.ts';

/** An entry of a list that can be downloaded. */
export interface Entry {
  /** Address of the query on this page, which identifies the entry. */
  readonly source: string;
  readonly title: string;
  readonly thumbnailUrl: string | undefined;
  readonly isVideo: boolean;
}

const THUMBNAIL_WIDTH = 160;
const videoTypes = ['video', 'short', 'reel', 'movie', 'live'];

/**
 * Returns the entry for an item of a list. Returns undefined for an item that has no media, such as a channel,
 * and for one that cannot be played now: a broadcast, or an announced or private video.
 */
export function entryOfItem(item: ListItem): Entry | undefined {
  const url = textAt(item, 'url');
  const link = url === undefined ? undefined : recogniseLink(url);
  if (url === undefined || link === undefined || isCollection(link)) return undefined;
  if (isLive(item) || item.playable === false || item.upcoming === true) return undefined;
  return {
    source: addressOf({ text: url, link }),
    title: nameOfItem(item) ?? url,
    thumbnailUrl: pictureAt(item, THUMBNAIL_WIDTH, 'thumbnails'),
    isVideo: videoTypes.includes(item.type),
  };
}

/** Returns the entries of the items that can be downloaded, each once. */
export function entriesOf(items: readonly ListItem[]): readonly Entry[] {
  const entries = items.flatMap((item) => entryOfItem(item) ?? []);
  return [...new Map(entries.map((entry) => [entry.source, entry])).values()];
}

/** Returns the entry for a query whose result has not been fetched. */
export function entryOfQuery({ text, link }: Query, title = text, thumbnailUrl?: string): Entry {
  return { source: addressOf({ text, link }), title, thumbnailUrl, isVideo: false };
}

/** Returns the title, the name or the first words of an item. */
export function nameOfItem(item: ListItem): string | undefined {
  const names = ['title', 'name', 'caption', 'text', 'description'];
  const name = names.map((member) => textAt(item, member)).find((text) => text !== undefined);
  return name === undefined ? undefined : shortTitle(name);
}

/** Whether an item is a broadcast that has not ended. */
export function isLive(item: ListItem): boolean {
  return item.type === 'live' || item.live === true;
}

import { fields, parseJson } from '../../../parsing/values.ts';
import { playlistIdOf, videoIdOf } from '../parse/ids.ts';
import type { ItemList } from '../parse/item-list.ts';
import type { ListItem } from '../parse/items/list-item.ts';
import { readLocalisedPage } from '../parse/localised-page.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { ContentType } from './channel-page.ts';

/**
 * Prefixes of the IDs of the playlists in which YouTube lists a channel's uploads, newest first. They replace the `UC`
 * of the channel ID.
 */
const playlistPrefixes: Readonly<Partial<Record<ContentType, string>>> = {
  videos: 'UULF',
  shorts: 'UUSH',
  livestreams: 'UULV',
};

/**
 * Longer tokens do not fit into a link. Those of a tab grow with every page, by 2,200 characters per 30 videos
 * (recorded 2026-07); those of a playlist do not.
 */
const MAX_TOKEN_LENGTH = 5_000;

/**
 * Maximum number of pages, of 100 items each, that are searched for the position in the tab. The position is after some
 * 150 items.
 */
const MAX_PAGES = 5;

/** The position in an uploads playlist where the next page starts. */
interface UploadsPosition {
  readonly list: string;
  /** The ID of the video before the position. */
  readonly after: string;
}

/**
 * Returns the cursor of a tab's next page: its token or, if that is too long, a position in the playlist of the same
 * uploads.
 */
export function tabCursor(
  token: string | undefined,
  type: ContentType,
  channelId: string,
  items: readonly ListItem[],
): string | undefined {
  const prefix = playlistPrefixes[type];
  const after = items.at(-1)?.id;
  if (token === undefined || token.length <= MAX_TOKEN_LENGTH || prefix === undefined || after === undefined)
    return token;
  return JSON.stringify({ list: `${prefix}${channelId.slice(2)}`, after } satisfies UploadsPosition);
}

/** Returns the position in a cursor, or undefined for a token. */
export function readUploadsPosition(cursor: string): UploadsPosition | undefined {
  if (!cursor.startsWith('{')) return undefined;
  const { list, after } = fields(parseJson(cursor));
  const place = { list: playlistIdOf(list), after: videoIdOf(after) };
  return place.list === undefined || place.after === undefined ? undefined : { list: place.list, after: place.after };
}

/** Returns the uploads after a position, to the end of the page on which they begin. */
export async function fetchUploads(innertube: Innertube, { list, after }: UploadsPosition): Promise<ItemList> {
  let body: Readonly<Record<string, string>> = { browseId: `VL${list}` };
  let isPastPosition = false;
  for (let number = 0; number < MAX_PAGES; number += 1) {
    const page = readLocalisedPage(await innertube.requestLocalised('browse', body));
    const place = page.items.findIndex(({ id }) => id === after);
    const items = isPastPosition ? page.items : page.items.slice(place < 0 ? page.items.length : place + 1);
    if (items.length > 0) return { ...page, items };
    if (page.continuation === undefined) break;
    isPastPosition ||= place >= 0;
    body = { continuation: page.continuation };
  }
  return { items: [], messages: ['YouTube lists no further uploads.'], unread: {} };
}

import { dig, list } from '../../../parsing/values.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { addUnread, unreadResponse } from '../../unread.ts';
import { memberKinds } from './member-kinds.ts';

const SITE = 'https://www.youtube.com';
const MAX_TABS = 50;

/** Names of tabs that channels have had, and that show that a tab bar was read. */
const knownNames: readonly string[] = [
  'featured',
  'home',
  'videos',
  'shorts',
  'livestreams',
  'releases',
  'podcasts',
  'courses',
  'playlists',
  'posts',
  'community',
  'channels',
  'store',
  'about',
  'search',
];

/** A tab of a channel's page. */
export interface Tab {
  /**
   * The last segment of its address, such as `featured`, `videos` or `search`. The site's `streams` becomes
   * `livestreams`, as in the contract.
   */
  readonly name: string;
  /** Whether the response contains its contents. */
  readonly selected: boolean;
}

/** Returns the tabs of a channel's page. Omits a tab without an address (the only tab of YouTube's own channels). */
export function readTabs(response: unknown): readonly Tab[] {
  return tabEntries(response).flatMap((entry) => {
    const tab = dig(entry, 'tabRenderer') ?? dig(entry, 'expandableTabRenderer');
    const address = dig(tab, 'endpoint', 'commandMetadata', 'webCommandMetadata', 'url');
    const path = typeof address === 'string' ? parseSiteUrl(address, SITE)?.pathname : undefined;
    const last = path?.split('/').at(-1);
    const name = last === 'streams' ? 'livestreams' : last;
    return name ? [{ name, selected: dig(tab, 'selected') === true }] : [];
  });
}

/**
 * Returns whether a channel's page has one of the named tabs open. If the channel has no such tab, the site opens
 * another one.
 *
 * @throws UnreadResponseError if the tab bar cannot be read, or if the page has the tab but it is not open.
 */
export function isTabOpen(response: unknown, names: readonly string[]): boolean {
  const entries = tabEntries(response);
  const tabs = readTabs(response);
  const tab = tabs.find(({ name }) => names.includes(name));
  if (tab?.selected) return true;
  const open = tabs.find(({ selected }) => selected);
  const isKnown = (one: Tab | undefined) => one !== undefined && knownNames.includes(one.name);
  const isRead = tabs.length === entries.length && tabs.some(isKnown) && (open === undefined || isKnown(open));
  if (tab === undefined && (isRead || isOnlyTab(entries))) return false;
  throw unreadResponse(
    "YouTube returned the channel's tabs",
    entries.length === 0 ? memberKinds(dig(response, 'contents')) : addUnread(...entries.map(memberKinds)),
  );
}

/** Returns whether a page has one tab without an address, as YouTube's own channels have. */
function isOnlyTab([first, second]: readonly unknown[]): boolean {
  const tab = dig(first, 'tabRenderer');
  return second === undefined && dig(tab, 'content') !== undefined && dig(tab, 'endpoint') === undefined;
}

function tabEntries(response: unknown): readonly unknown[] {
  return list(dig(response, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs')).slice(0, MAX_TABS);
}

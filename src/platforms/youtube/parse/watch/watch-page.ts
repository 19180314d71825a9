import { type CountMembers, countMembers, parseCount } from '../../../../parsing/numbers.ts';
import { defined, dig, type Fields, list, text, unlessEmpty } from '../../../../parsing/values.ts';
import { addUnread, type UnreadKinds } from '../../../unread.ts';
import { type ItemList, readList } from '../item-list.ts';
import { readChannelLink, readCollaborators } from '../items/channel-ref.ts';
import type { ChannelRef, ListItem } from '../items/list-item.ts';
import { localiseItems } from '../localised-page.ts';
import { memberKinds } from '../member-kinds.ts';
import { readRuns, readText, type TextRun } from '../text.ts';

/** The properties of a video on its watch page that the player does not provide. */
export interface WatchPage {
  readonly title?: string;
  readonly channel?: ChannelRef;
  /** All creators, if there are several. */
  readonly collaborators?: readonly ChannelRef[];
  /** "83,420 views", or "28,405 watching now" during a live stream. */
  readonly viewCountText?: string;
  readonly isLive: boolean;
  readonly likes: CountMembers<'likeCount'>;
  readonly comments: CountMembers<'commentCount'>;
  /** "Jul 3, 2022". */
  readonly dateText?: string;
  /** "3 years ago". */
  readonly relativeDateText?: string;
  /** The line above the title: hashtags, a location or a series. */
  readonly superTitle?: readonly TextRun[];
  readonly license?: string;
  /** Rows below the description, such as "Rating". */
  readonly rows?: Readonly<Record<string, string>>;
}

const MAX_ENTRIES = 100;

/** Parts of a watch page. */
export const videoPageParts: ReadonlySet<string> = new Set([
  'autoplay',
  'conversationBar',
  'desktopOverlay',
  'playlist',
  'results',
  'secondaryResults',
]);

/** Entries of a watch page: the video, its comments, and offers of its author. */
const knownEntries: ReadonlySet<string> = new Set([
  'compositeVideoPrimaryInfoRenderer',
  'itemSectionRenderer',
  'merchandiseShelfRenderer',
  'ticketShelfRenderer',
  'videoPrimaryInfoRenderer',
  'videoSecondaryInfoRenderer',
]);

/** Reads the response to `next` for a video. Some videos have no header (recorded 2026-06). */
export function readWatchPage(watch: Fields): WatchPage {
  const contents = list(dig(results(watch), 'results', 'results', 'contents')).slice(0, MAX_ENTRIES);
  const find = (name: string) => contents.map((entry) => dig(entry, name)).find((entry) => entry !== undefined);
  const primary = find('videoPrimaryInfoRenderer');
  const secondary = find('videoSecondaryInfoRenderer');
  const views = dig(primary, 'viewCount', 'videoViewCountRenderer');
  const superTitle = readRuns(dig(primary, 'superTitleLink'));
  const { license, rows } = readRows(secondary);
  return {
    ...defined({ title: readText(dig(primary, 'title')), ...readOwner(secondary) }),
    ...defined({ viewCountText: readText(dig(views, 'viewCount')) }),
    isLive: dig(views, 'isLive') === true,
    likes: readLikes(primary),
    comments: readComments(watch),
    ...defined({
      dateText: readText(dig(primary, 'dateText')),
      relativeDateText: readText(dig(primary, 'relativeDateText')),
      superTitle: unlessEmpty(superTitle),
      license,
      rows,
    }),
  };
}

/** Counts the parts of a watch page that no parser recognised, without the suggested videos. */
export function unreadParts(watch: Fields): UnreadKinds {
  const page = results(watch);
  if (page === undefined) return memberKinds(watch.contents);
  const entries = dig(page, 'results', 'results', 'contents');
  // A page without a header has no results (recorded 2026-06).
  if (dig(page, 'results') !== undefined && !Array.isArray(entries)) return { results: 1 };
  const unknown = (names: ReadonlySet<string>) => (node: unknown) =>
    Object.fromEntries(Object.entries(memberKinds(node)).filter(([name]) => !names.has(name)));
  return addUnread(unknown(videoPageParts)(page), ...list(entries).slice(0, MAX_ENTRIES).map(unknown(knownEntries)));
}

/** Returns the suggested videos, with texts in the caller's language if that page is available. */
export function readRelated(watch: Fields, translation?: Fields): ItemList {
  const readItems = (page: Fields) => {
    const related = dig(results(page), 'secondaryResults');
    return readList({ contents: related === undefined ? [] : [related] });
  };
  const page = readItems(watch);
  const items: readonly ListItem[] =
    translation === undefined ? page.items : localiseItems(page.items, readItems(translation).items);
  return { ...page, items };
}

function results(watch: Fields): unknown {
  return dig(watch.contents, 'twoColumnWatchNextResults');
}

function readOwner(secondary: unknown): Pick<WatchPage, 'channel' | 'collaborators'> {
  const owner = dig(secondary, 'owner', 'videoOwnerRenderer');
  const extras = { picture: dig(owner, 'thumbnail'), badges: dig(owner, 'badges') };
  const collaborators = readCollaborators(dig(owner, 'navigationEndpoint'));
  const channel = readChannelLink(dig(owner, 'title'), extras) ?? collaborators?.[0];
  const subscribers = countMembers('subscriberCount', readText(dig(owner, 'subscriberCountText')));
  return defined({ channel: channel === undefined ? undefined : { ...channel, ...subscribers }, collaborators });
}

/** Reads the likes. The button displays "31K"; its screen reader text has the exact number. */
function readLikes(primary: unknown): CountMembers<'likeCount'> {
  const button = list(dig(primary, 'videoActions', 'menuRenderer', 'topLevelButtons'))
    .slice(0, MAX_ENTRIES)
    .map((entry) =>
      dig(
        entry,
        'segmentedLikeDislikeButtonViewModel',
        'likeButtonViewModel',
        'likeButtonViewModel',
        'toggleButtonViewModel',
        'toggleButtonViewModel',
        'defaultButtonViewModel',
        'buttonViewModel',
      ),
    )
    .find((entry) => entry !== undefined);
  const exact = parseCount(text(dig(button, 'accessibilityText')));
  const likes = countMembers('likeCount', text(dig(button, 'title')));
  // If the number is hidden, the button says "Like".
  if (exact === undefined && likes.likeCount === undefined) return {};
  return { ...likes, ...defined({ likeCount: exact ?? likes.likeCount }) };
}

/** Reads the abbreviated number in the comments heading. The exact number is on the comments' own page. */
function readComments({ engagementPanels }: Fields): CountMembers<'commentCount'> {
  const panel = list(engagementPanels)
    .slice(0, MAX_ENTRIES)
    .map((entry) => dig(entry, 'engagementPanelSectionListRenderer'))
    .find((entry) => dig(entry, 'panelIdentifier') === 'engagement-panel-comments-section');
  return countMembers(
    'commentCount',
    readText(dig(panel, 'header', 'engagementPanelTitleHeaderRenderer', 'contextualInfo')),
  );
}

/** Reads rows such as "License: Creative Commons Attribution license (reuse allowed)". */
function readRows(secondary: unknown): Pick<WatchPage, 'license' | 'rows'> {
  const entries = list(dig(secondary, 'metadataRowContainer', 'metadataRowContainerRenderer', 'rows'))
    .slice(0, MAX_ENTRIES)
    .flatMap((entry) => {
      const row = dig(entry, 'metadataRowRenderer');
      const title = readText(dig(row, 'title'));
      const words = list(dig(row, 'contents'))
        .slice(0, MAX_ENTRIES)
        .flatMap((content) => readText(content) ?? []);
      return title === undefined || words.length === 0 ? [] : [[title, words.join(', ')] as const];
    });
  const isLicense = ([title]: readonly [string, string]) => /^licen[cs]e$/i.test(title);
  const rows = entries.filter((entry) => !isLicense(entry));
  return defined({
    license: entries.find(isLicense)?.[1],
    rows: rows.length > 0 ? Object.fromEntries(rows) : undefined,
  });
}

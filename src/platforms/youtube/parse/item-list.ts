import { MillraceError } from '../../../contract/errors.ts';
import { dig, fields } from '../../../parsing/values.ts';
import { addUnread, createUnreadCounter, type UnreadCounter, type UnreadKinds, unreadResponse } from '../../unread.ts';
import { continuationItems, readContinuation, readLegacyContinuation, unreadCommands } from './continuations.ts';
import { itemReaders } from './items/item-readers.ts';
import type { ListItem } from './items/list-item.ts';
import { unknownAttachment } from './items/post-attachment.ts';
import { firstKind, memberKinds } from './member-kinds.ts';
import { readMessage } from './message-renderer.ts';
import { readText } from './text.ts';

/** The items of a list, and other data found among them. */
export interface ItemList {
  /** In the site's order. Items of a shelf are at the shelf's position, with its title. */
  readonly items: readonly ListItem[];
  /** The token of the next page; absent on the last page. */
  readonly continuation?: string;
  /** Messages that the site displays instead of items, such as "This channel has no videos." */
  readonly messages: readonly string[];
  /** Entries that no parser recognised. */
  readonly unread: UnreadKinds;
}

/** Maximum depth, more than any genuine response has. Also bounds the recursion. */
const MAX_DEPTH = 100;
/** Maximum number of items, more than any page has. */
const MAX_ITEMS = 2_000;
/** Maximum number of messages reported. */
const MAX_MESSAGES = 50;

const shelfNames = new Set(['shelfRenderer', 'reelShelfRenderer', 'richShelfRenderer', 'gridShelfViewModel']);
/** Names of members with lists of items. An unknown entry of another list (badges, buttons) is not a lost item. */
const listNames = new Set(['contents', 'items', 'continuationItems', 'results']);
const continuationNames = new Set(['continuationItemRenderer', 'continuationItemViewModel']);

/** Entries of lists that are not items: advertising, surveys, help, filters, panels about a topic. */
const ignoredEntries = new Set([
  'adSlotRenderer',
  'backgroundPromoRenderer',
  'bannerPromoRenderer',
  'brandVideoShelfRenderer',
  'brandVideoSingletonRenderer',
  'chipBarViewModel',
  'chipCloudRenderer',
  'clarificationRenderer',
  'compactPromotedItemRenderer',
  'compactPromotedVideoRenderer',
  'defaultPromoPanelRenderer',
  'didYouMeanRenderer',
  'emergencyOneboxRenderer',
  'feedFilterChipBarRenderer',
  'feedNudgeRenderer',
  'horizontalCardListRenderer',
  'includingResultsForRenderer',
  'infoPanelContainerRenderer',
  'infoPanelContentRenderer',
  'inlineSurveyRenderer',
  'merchandiseShelfRenderer',
  'primetimePromoRenderer',
  'promotedSparklesTextSearchRenderer',
  'promotedSparklesWebRenderer',
  'promotedVideoRenderer',
  'recognitionShelfRenderer',
  'relatedChipCloudRenderer',
  'searchPyvRenderer',
  'showingResultsForRenderer',
  'statementBannerRenderer',
  'ticketShelfRenderer',
  'universalWatchCardRenderer',
]);

/** Entries around a single other entry, which is their `content`. */
const wrapperNames = new Set(['richItemRenderer', 'richSectionRenderer']);

/** Members without entries of the list: buttons, menus, headings, and what a post shows. */
const skippedMembers = new Set([
  'backstageAttachment',
  'button',
  'endpoint',
  'engagementPanels',
  'expandableMetadata',
  'header',
  'menu',
  'navigationEndpoint',
  'originalPost',
  'subMenu',
]);

/**
 * Reads the list in a response to browse, search or next: the items of a continuation, or else those under `contents`.
 *
 * @throws UnreadResponseError if the response has no list that can be read, unless a message in it explains why.
 * @throws MillraceError `invalid_response_data` for a response that is nested more deeply than any of the site's.
 */
export function requirePage(response: unknown): ItemList {
  const { recognisedEntries, ...list } = walkPage(response);
  const isListed = list.items.length > 0 || list.messages.length > 0;
  const isEmpty = Object.keys(list.unread).length === 0 && (recognisedEntries > 0 || isEmptyContinuation(response));
  if (isListed || isEmpty) return list;
  throw unreadResponse(
    'YouTube returned the list',
    Object.keys(list.unread).length > 0 ? list.unread : memberKinds(response),
  );
}

/** Reads the list in a response as {@link requirePage} does, but also accepts a response without one. */
export function readPage(response: unknown): ItemList {
  const { recognisedEntries: _, ...list } = walkPage(response);
  return list;
}

/**
 * Reads all items below a node, depth first, stopping at known item keys. It is tolerant by design: it walks through
 * new wrappers and counts unknown kinds.
 *
 * @throws MillraceError `invalid_response_data` as in {@link requirePage}.
 */
export function readList(root: unknown): ItemList {
  const { recognisedEntries: _, ...list } = walkList(root);
  return list;
}

function walkPage(response: unknown) {
  const items = continuationItems(response);
  const { contents, continuationContents } = fields(response);
  const list = walkList(items === undefined ? { contents, continuationContents } : { items });
  return { ...list, unread: addUnread(list.unread, unreadCommands(response)) };
}

/** Returns whether the site explicitly lists nothing further. */
function isEmptyContinuation(response: unknown): boolean {
  return continuationItems(response)?.length === 0;
}

function walkList(root: unknown): ItemList & { readonly recognisedEntries: number } {
  const walk: Walk = {
    items: [],
    continuation: undefined,
    messages: [],
    unread: createUnreadCounter(),
    recognisedEntries: 0,
  };
  visit(root, walk, undefined, 0);
  return {
    items: walk.items,
    ...(walk.continuation === undefined ? {} : { continuation: walk.continuation }),
    messages: walk.messages,
    unread: walk.unread.kinds(),
    recognisedEntries: walk.recognisedEntries,
  };
}

interface Walk {
  readonly items: ListItem[];
  continuation: string | undefined;
  readonly messages: string[];
  readonly unread: UnreadCounter;
  /** Number of recognised entries. An entry that does not increase it is unread. */
  recognisedEntries: number;
}

function visit(node: unknown, walk: Walk, shelf: string | undefined, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeepError();
  if (Array.isArray(node)) {
    for (const entry of node) visit(entry, walk, shelf, depth + 1);
  } else if (typeof node === 'object' && node !== null) {
    const members = node as Readonly<Record<string, unknown>>;
    for (const name in members) {
      const value = members[name];
      if (typeof value === 'object' && value !== null) visitMember(name, value, walk, shelf, depth);
    }
  }
}

function visitMember(name: string, value: object, walk: Walk, shelf: string | undefined, depth: number): void {
  const readItem = itemReaders.get(name);
  if (readItem !== undefined) {
    const item = walk.items.length < MAX_ITEMS ? readItem(value) : undefined;
    // Not recognised after all (for example, a lockup of a new type). The list that contains the entry counts it.
    if (item === undefined) return;
    walk.recognisedEntries += 1;
    walk.items.push(shelf ? { ...item, shelf } : item);
    if (item.type === 'post') walk.unread.add(unknownAttachment(value));
  } else if (continuationNames.has(name)) {
    const token = readContinuation(value);
    if (token === undefined) return;
    walk.recognisedEntries += 1;
    // A shelf may have its own continuation. The continuation of the list is the last one outside of shelves.
    if (shelf === undefined) walk.continuation = token;
  } else if (name === 'messageRenderer') {
    const words = readMessage(value);
    if (words === undefined) return;
    walk.recognisedEntries += 1;
    if (walk.messages.length < MAX_MESSAGES) walk.messages.push(words);
  } else if (name === 'continuations') {
    walk.continuation ??= readLegacyContinuation({ continuations: value });
  } else if (listNames.has(name) && Array.isArray(value)) {
    visitList(value, walk, shelf, depth);
  } else if (!skippedMembers.has(name) && !ignoredEntries.has(name)) {
    // A shelf without a title still counts as one, with title ''.
    visit(value, walk, shelfNames.has(name) ? (shelfTitle(value) ?? shelf ?? '') : shelf, depth + 1);
  }
}

/** Visits the entries of a list, and counts those in which nothing was recognised. */
function visitList(entries: readonly unknown[], walk: Walk, shelf: string | undefined, depth: number): void {
  for (const entry of entries) {
    const before = walk.recognisedEntries;
    const name = entryName(entry);
    if (ignoredEntries.has(name)) walk.recognisedEntries += 1;
    else visit(entry, walk, shelf, depth + 1);
    if (walk.recognisedEntries > before) continue;
    walk.unread.add(name);
    // The entry is counted, so the list that contains this one must not be counted as well.
    walk.recognisedEntries += 1;
  }
}

/** Returns the site's name of an entry, or of the entry in its wrapper. */
function entryName(entry: unknown): string {
  const kind = firstKind(entry);
  const content = wrapperNames.has(kind) ? dig(entry, kind, 'content') : undefined;
  return content === undefined ? kind : entryName(content);
}

function shelfTitle(shelf: object): string | undefined {
  return (
    readText(dig(shelf, 'title')) ??
    readText(dig(shelf, 'header', 'gridShelfHeaderViewModel', 'title')) ??
    headline(shelf)
  );
}

function headline(shelf: object): string | undefined {
  return readText(dig(shelf, 'headerRenderer', 'richListHeaderRenderer', 'title'));
}

function tooDeepError(): MillraceError {
  return new MillraceError('invalid_response_data', "YouTube's response is nested too deeply. Try again.");
}

import { MillraceError } from '../../../contract/errors.ts';
import { dig } from '../../../parsing/values.ts';
import { continuationItems, readContinuation, readLegacyContinuation } from './continuations.ts';
import { itemReaders } from './items/item-readers.ts';
import type { ListItem } from './items/list-item.ts';
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
  /** Number of occurrences of each unknown kind, by its key. */
  readonly unknownKinds: Readonly<Record<string, number>>;
}

/** Maximum depth, more than any genuine response has. Also bounds the recursion. */
const MAX_DEPTH = 100;
/** Maximum number of items, more than any page has. */
const MAX_ITEMS = 2_000;
/** Maximum number of distinct kinds or messages reported. */
const MAX_REPORTED = 50;

const shelfNames = new Set(['shelfRenderer', 'reelShelfRenderer', 'richShelfRenderer', 'gridShelfViewModel']);
/** Names of members with lists of items. An unknown entry of another list (badges, buttons) is not a lost item. */
const listNames = new Set(['contents', 'items', 'continuationItems']);
const continuationNames = new Set(['continuationItemRenderer', 'continuationItemViewModel']);

/** Entries among items that are not items: advertising, buttons, help. */
const ignoredNames = new Set([
  'adSlotRenderer',
  'backgroundPromoRenderer',
  'button',
  'chipCloudRenderer',
  'clarificationRenderer',
  'didYouMeanRenderer',
  'emergencyOneboxRenderer',
  'endpoint',
  'engagementPanels',
  'feedFilterChipBarRenderer',
  'header',
  'horizontalCardListRenderer',
  'includingResultsForRenderer',
  'infoPanelContainerRenderer',
  'menu',
  'menuRenderer',
  'merchandiseShelfRenderer',
  'navigationEndpoint',
  'promotedSparklesWebRenderer',
  'promotedVideoRenderer',
  'recognitionShelfRenderer',
  'searchPyvRenderer',
  'showingResultsForRenderer',
  'statementBannerRenderer',
  'subMenu',
  'ticketShelfRenderer',
]);

/**
 * Reads the list in a response to browse, search or next: the items of a continuation, or else those under `contents`.
 *
 * @throws MillraceError `invalid_response_data` for a response that is nested more deeply than any of the site's.
 */
export function readPage(response: unknown): ItemList {
  const items = continuationItems(response);
  if (items !== undefined) return readList({ items });
  return readList([dig(response, 'contents'), dig(response, 'continuationContents')]);
}

/**
 * Reads all items below a node, depth first, stopping at known item keys. It is tolerant by design: it walks through
 * new wrappers and counts unknown kinds.
 *
 * @throws MillraceError `invalid_response_data` as in {@link readPage}.
 */
export function readList(root: unknown): ItemList {
  const walk: Walk = {
    items: [],
    continuation: undefined,
    messages: [],
    unknownKinds: new Map(),
    recognisedEntries: 0,
  };
  visit(root, walk, undefined, 0);
  return {
    items: walk.items,
    ...(walk.continuation === undefined ? {} : { continuation: walk.continuation }),
    messages: walk.messages,
    unknownKinds: Object.fromEntries(walk.unknownKinds),
  };
}

interface Walk {
  readonly items: ListItem[];
  continuation: string | undefined;
  readonly messages: string[];
  readonly unknownKinds: Map<string, number>;
  /** Number of recognised entries. An entry that does not increase it is of an unknown kind. */
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
  } else if (continuationNames.has(name)) {
    walk.recognisedEntries += 1;
    // A shelf may have its own continuation. The continuation of the list is the last one outside of shelves.
    if (shelf === undefined) walk.continuation = readContinuation(value) ?? walk.continuation;
  } else if (name === 'messageRenderer') {
    walk.recognisedEntries += 1;
    const words = readMessage(value);
    if (words !== undefined && walk.messages.length < MAX_REPORTED) walk.messages.push(words);
  } else if (ignoredNames.has(name)) {
    walk.recognisedEntries += 1;
  } else if (name === 'continuations') {
    walk.continuation ??= readLegacyContinuation({ continuations: value });
  } else if (listNames.has(name) && Array.isArray(value)) {
    visitList(value, walk, shelf, depth);
  } else {
    // A shelf without a title still counts as one, with title ''.
    visit(value, walk, shelfNames.has(name) ? (shelfTitle(value) ?? shelf ?? '') : shelf, depth + 1);
  }
}

/** Visits the entries of a list, and counts those in which nothing was recognised. */
function visitList(entries: readonly unknown[], walk: Walk, shelf: string | undefined, depth: number): void {
  for (const entry of entries) {
    const before = walk.recognisedEntries;
    visit(entry, walk, shelf, depth + 1);
    if (walk.recognisedEntries === before) countUnknownKind(entry, walk);
  }
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

/** Counts an entry in which nothing was recognised, if it looks like one of the site's elements. */
function countUnknownKind(entry: unknown, walk: Walk): void {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return;
  for (const name in entry) {
    if (!/(?:Renderer|ViewModel)$/.test(name)) continue;
    if (walk.unknownKinds.has(name) || walk.unknownKinds.size < MAX_REPORTED) {
      walk.unknownKinds.set(name, (walk.unknownKinds.get(name) ?? 0) + 1);
    }
    walk.recognisedEntries += 1;
    return;
  }
}

function tooDeepError(): MillraceError {
  return new MillraceError('invalid_response_data', "YouTube's response is nested too deeply. Try again.");
}

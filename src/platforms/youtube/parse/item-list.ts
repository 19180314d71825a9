import { MillraceError } from '../../../contract/errors.ts';
import { dig } from '../../../parsing/values.ts';
import { continuationItems, readContinuation, readLegacyContinuation } from './continuations.ts';
import { itemReaders } from './items/item-readers.ts';
import type { ListItem } from './items/list-item.ts';
import { readMessage } from './message-renderer.ts';
import { readText } from './text.ts';

/** The items of a list, and what else was found among them. */
export interface ItemList {
  /** In the order of the site; those of a shelf stand where the shelf does, with its title. */
  readonly items: readonly ListItem[];
  /** The token of the next page; absent on the last one. */
  readonly continuation?: string;
  /** What the site says in place of items, such as "This channel has no videos." */
  readonly messages: readonly string[];
  /** Occurrences of each unknown kind, by its key. */
  readonly unknownKinds: Readonly<Record<string, number>>;
}

/** Deeper than any honest response; it also bounds our own recursion. */
const MAX_DEPTH = 100;
/** More items than any page has. */
const MAX_ITEMS = 2_000;
/** Different kinds, or messages, that are reported. */
const MAX_REPORTED = 50;

const shelfNames = new Set(['shelfRenderer', 'reelShelfRenderer', 'richShelfRenderer', 'gridShelfViewModel']);
/** The names under which lists of items stand; an unknown entry of another list (badges, buttons) is no lost item. */
const listNames = new Set(['contents', 'items', 'continuationItems']);
const continuationNames = new Set(['continuationItemRenderer', 'continuationItemViewModel']);

/** What may stand among items and is none: advertising, buttons, help. */
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
 * Reads the list of a response to browse, search or next: what a continuation brings, else what stands under `contents`.
 *
 * @throws MillraceError `invalid_response_data` for a response nested deeper than any of the site's.
 */
export function readPage(response: unknown): ItemList {
  const items = continuationItems(response);
  if (items !== undefined) return readList({ items });
  return readList([dig(response, 'contents'), dig(response, 'continuationContents')]);
}

/**
 * Reads all items below a node, wherever they lie: depth first, stopping at the known keys of items. Tolerant by
 * design: new wrappers are walked through, and a kind that is not known is counted.
 *
 * @throws MillraceError `invalid_response_data` as {@link readPage}.
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
  /** Entries that were recognised as something, so that an entry without any is one of an unknown kind. */
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
    // Not known after all, such as a lockup of a new type: the entry is counted by the list it stands in.
    if (item === undefined) return;
    walk.recognisedEntries += 1;
    walk.items.push(shelf ? { ...item, shelf } : item);
  } else if (continuationNames.has(name)) {
    walk.recognisedEntries += 1;
    // A shelf may have a continuation of its own; the list's is the last one outside of shelves.
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
    // A shelf without a title is one nevertheless: '' stands for it.
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
  return new MillraceError('invalid_response_data', "YouTube's answer is nested too deeply. Try again.");
}

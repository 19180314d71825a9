import { MillraceError } from '../../../contract/errors.ts';
import { dig } from '../../../parsing/values.ts';
import { continuationItems, readContinuation, readOldContinuation } from './continuations.ts';
import type { ListItem } from './items/list-item.ts';
import { itemReaders } from './items/item-readers.ts';
import { readMessage } from './message-renderer.ts';
import { plain } from './text.ts';

/** The items of a list, and what else was found among them. */
export interface ItemList {
  /** In the order of the site; those of a shelf stand where the shelf does, with its title. */
  readonly items: readonly ListItem[];
  /** The token of the next page; absent on the last one. */
  readonly continuation?: string;
  /** What the site says in place of items, such as "This channel has no videos." */
  readonly messages: readonly string[];
  /** How often each kind was met that is not known, by its key. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Deeper than any honest answer; it also bounds our own recursion. */
const MAX_DEPTH = 100;
/** More items than any page has. */
const MAX_ITEMS = 2_000;
/** Different kinds, or messages, that are told. */
const MAX_TOLD = 50;

const shelves = new Set(['shelfRenderer', 'reelShelfRenderer', 'richShelfRenderer', 'gridShelfViewModel']);
/** The names under which lists of items stand; an unknown entry of another list (badges, buttons) is no lost item. */
const lists = new Set(['contents', 'items', 'continuationItems']);
const continuations = new Set(['continuationItemRenderer', 'continuationItemViewModel']);

/** What may stand among items and is none: advertising, buttons, help. */
const ignored = new Set([
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
 * Reads the list of an answer to browse, search or next: what a continuation brings, else what stands under `contents`.
 *
 * @throws MillraceError `invalid_response_data` for an answer nested deeper than any of the site's.
 */
export function readPage(answer: unknown): ItemList {
  const brought = continuationItems(answer);
  if (brought !== undefined) return readList({ items: brought });
  return readList([dig(answer, 'contents'), dig(answer, 'continuationContents')]);
}

/**
 * Reads all items below a node, wherever they lie: depth first, stopping at the known keys of items. Tolerant by
 * design: new wrappers are walked through, and a kind that is not known is counted.
 *
 * @throws MillraceError `invalid_response_data` as {@link readPage}.
 */
export function readList(root: unknown): ItemList {
  const walk: Walk = { items: [], continuation: undefined, messages: [], skipped: new Map(), recognised: 0 };
  visit(root, walk, undefined, 0);
  return {
    items: walk.items,
    ...(walk.continuation === undefined ? {} : { continuation: walk.continuation }),
    messages: walk.messages,
    skipped: Object.fromEntries(walk.skipped),
  };
}

interface Walk {
  readonly items: ListItem[];
  continuation: string | undefined;
  readonly messages: string[];
  readonly skipped: Map<string, number>;
  /** Entries that were recognised as something, so that an entry without any is one of an unknown kind. */
  recognised: number;
}

function visit(node: unknown, walk: Walk, shelf: string | undefined, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep();
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
  const read = itemReaders.get(name);
  if (read !== undefined) {
    const item = walk.items.length < MAX_ITEMS ? read(value) : undefined;
    // Not known after all, such as a lockup of a new type: the entry is counted by the list it stands in.
    if (item === undefined) return;
    walk.recognised += 1;
    walk.items.push(shelf ? { ...item, shelf } : item);
  } else if (continuations.has(name)) {
    walk.recognised += 1;
    // A shelf may have a continuation of its own; the list's is the last one outside of shelves.
    if (shelf === undefined) walk.continuation = readContinuation(value) ?? walk.continuation;
  } else if (name === 'messageRenderer') {
    walk.recognised += 1;
    const words = readMessage(value);
    if (words !== undefined && walk.messages.length < MAX_TOLD) walk.messages.push(words);
  } else if (ignored.has(name)) {
    walk.recognised += 1;
  } else if (name === 'continuations') {
    walk.continuation ??= readOldContinuation({ continuations: value });
  } else if (lists.has(name) && Array.isArray(value)) {
    visitList(value, walk, shelf, depth);
  } else {
    // A shelf without a title is one nevertheless: '' stands for it.
    visit(value, walk, shelves.has(name) ? (shelfTitle(value) ?? shelf ?? '') : shelf, depth + 1);
  }
}

/** Visits the entries of a list, and counts those in which nothing was recognised. */
function visitList(entries: readonly unknown[], walk: Walk, shelf: string | undefined, depth: number): void {
  for (const entry of entries) {
    const before = walk.recognised;
    visit(entry, walk, shelf, depth + 1);
    if (walk.recognised === before) skip(entry, walk);
  }
}

function shelfTitle(shelf: object): string | undefined {
  return (
    plain(dig(shelf, 'title')) ?? plain(dig(shelf, 'header', 'gridShelfHeaderViewModel', 'title')) ?? headline(shelf)
  );
}

function headline(shelf: object): string | undefined {
  return plain(dig(shelf, 'headerRenderer', 'richListHeaderRenderer', 'title'));
}

/** Counts an entry in which nothing was recognised, if it looks like one of the site's elements. */
function skip(entry: unknown, walk: Walk): void {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return;
  for (const name in entry) {
    if (!/(?:Renderer|ViewModel)$/.test(name)) continue;
    if (walk.skipped.has(name) || walk.skipped.size < MAX_TOLD) {
      walk.skipped.set(name, (walk.skipped.get(name) ?? 0) + 1);
    }
    walk.recognised += 1;
    return;
  }
}

function tooDeep(): MillraceError {
  return new MillraceError('invalid_response_data', "YouTube's answer is nested too deeply. Try again.");
}

import type { CollectionEntry } from '#client/collections/collection-entry.ts';
import { isCollection } from '#client/collections/entry-lists.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { CommandError } from '../errors/command-errors.ts';
import type { Reporter } from '../reporting/reporter.ts';
import { type Chapter, chaptersOf } from './chapters.ts';
import type { GetContext } from './get-context.ts';
import { allItems, firstItems, type ItemSelection } from './items.ts';
import type { Target } from './targets.ts';

/** Something to fetch: the content of a link, or a chapter of it. */
export interface Entry {
  readonly link: RecognisedLink;
  /** Its title or its link, for people. */
  readonly name: string;
  /** Position among the entries of the command, from 1. */
  readonly number: number;
  /** Position in its collection, from 1. */
  readonly index?: number;
  /** Title of its collection. */
  readonly collection?: string;
  readonly chapter?: Chapter;
}

/** An entry that cannot be fetched, and why. */
export interface RejectedEntry {
  readonly name: string;
  readonly number: number;
  readonly link?: RecognisedLink;
  readonly index?: number;
  /** Why the command does not try to fetch it. */
  readonly skipped?: string;
  /** Why it cannot be fetched. */
  readonly error?: unknown;
}

/** An entry of the command, before it is numbered. */
type Listed = Omit<Entry, 'number'> | Omit<RejectedEntry, 'number'>;

/** What the listing of entries needs. */
type ListContext = Pick<GetContext, 'session' | 'signal' | 'values'> & { readonly reporter: Pick<Reporter, 'say'> };

/** Number of entries of a list without an end that are fetched without `--items`. */
const ENDLESS_LIST_ITEMS = 20;

/** Maximum number of entries whose list is read to its end because positions count from there. */
const MAX_COUNTED_ITEMS = 50_000;

/**
 * Lists the entries of targets, page by page. What cannot be listed is an entry with an error.
 *
 * @param selection The entries of each collection to list; undefined for all.
 * @param onCount Called with the number of entries of each target, undefined if it is unknown.
 */
export async function* entriesOf(
  targets: readonly Target[],
  selection: ItemSelection | undefined,
  context: ListContext,
  onCount: (count: number | undefined) => void,
): AsyncGenerator<Entry | RejectedEntry, void, void> {
  const isSplit = context.values['split-chapters'] === true;
  let number = 0;
  for (const target of targets) {
    const entries = entriesOfTarget(target, selection, context, isSplit ? () => onCount(undefined) : onCount);
    try {
      for await (const entry of isSplit ? withChapters(entries, selection, context) : entries) {
        number += 1;
        yield { ...entry, number };
      }
    } catch (error) {
      context.signal.throwIfAborted();
      number += 1;
      yield { name: target.text, error, number };
    }
  }
}

async function* entriesOfTarget(
  target: Target,
  selection: ItemSelection | undefined,
  context: ListContext,
  onCount: (count: number | undefined) => void,
): AsyncGenerator<Listed, void, void> {
  if ('error' in target) {
    onCount(1);
    yield { name: target.text, error: target.error };
  } else if (isCollection(target.link)) {
    yield* entriesOfCollection(target, selection, context, onCount);
  } else {
    onCount(1);
    yield { name: target.text, link: target.link };
  }
}

async function* entriesOfCollection(
  { link, text, limit }: Extract<Target, { link: RecognisedLink }>,
  requested: ItemSelection | undefined,
  { session, signal, values, reporter }: ListContext,
  onCount: (count: number | undefined) => void,
): AsyncGenerator<Listed, void, void> {
  const selection = requested ?? (limit === undefined ? defaultSelection(link, reporter) : firstItems(limit));
  const collection = session.client.collection(link, {
    signal,
    limit: selection.last,
    parameters: { countryCode: values.country, lang: values.lang },
  });
  const { count: stated, partial = false, title } = await collection.details();
  if (partial) reporter.say(`${text}: the platform lists only the latest posts.`);
  if (!selection.countsFromEnd) {
    onCount(stated === undefined || selection === allItems ? stated : countOf(selection, stated));
    for await (const entry of collection) if (selection.includes(entry.index)) yield readEntry(entry, title);
    return;
  }
  const entries: CollectionEntry[] = [];
  for await (const entry of collection) {
    entries.push(entry);
    if (entries.length > MAX_COUNTED_ITEMS)
      throw new CommandError(`This list is too long to count from its end. Use --items with positive positions.`);
  }
  const selected = entries.filter(({ index }) => selection.includes(index, entries.length));
  onCount(selected.length);
  for (const entry of selected) yield readEntry(entry, title);
}

/** Returns all items of a list, or the first ones if it has no end. */
function defaultSelection({ endpoint, parameters }: RecognisedLink, reporter: Pick<Reporter, 'say'>): ItemSelection {
  const isEndless = endpoint.startsWith('search') || endpoint === 'hashtag' || parameters.playlistId?.startsWith('RD');
  if (isEndless !== true) return allItems;
  reporter.say(`This list has no end: getting the first ${ENDLESS_LIST_ITEMS} items. --items selects others.`);
  return firstItems(ENDLESS_LIST_ITEMS);
}

/** Returns how many of `count` items are selected. */
function countOf(selection: ItemSelection, count: number): number {
  const last = Math.min(count, selection.last, MAX_COUNTED_ITEMS);
  let selected = 0;
  for (let position = 1; position <= last; position += 1) if (selection.includes(position, count)) selected += 1;
  return selected;
}

function readEntry(entry: CollectionEntry, collection: string | undefined): Listed {
  const { index, kind, title, url, id, link, live = false, unavailable = false } = entry;
  const facts = { index, name: title ?? url ?? id ?? `Item ${index}`, ...(link === undefined ? {} : { link }) };
  if (unavailable) return { ...facts, skipped: 'It is private, deleted, or has not started yet.' };
  if (live) return { ...facts, skipped: 'It is a live broadcast.' };
  if (link === undefined) return { ...facts, skipped: 'It has no link.' };
  if (isCollection(link)) return { ...facts, skipped: `It is a ${kind}. Get it with its own link: ${url ?? id}` };
  return { ...facts, link, ...(collection === undefined ? {} : { collection }) };
}

/** Replaces each entry by its chapters; a video that is not in a collection, by the selected ones. */
async function* withChapters(
  entries: AsyncIterable<Listed>,
  selection: ItemSelection | undefined,
  { session, signal, values }: ListContext,
): AsyncGenerator<Listed, void, void> {
  for await (const entry of entries) {
    if ('error' in entry || 'skipped' in entry || entry.link === undefined) {
      yield entry;
      continue;
    }
    const { link } = entry;
    try {
      const parameters = { countryCode: values.country, lang: values.lang };
      const result = await session.client.extractLink(link, parameters, { signal });
      const chapters = chaptersOf(result);
      const selected = entry.index === undefined ? (selection ?? allItems) : allItems;
      for (const chapter of chapters.filter(({ number }) => selected.includes(number, chapters.length))) {
        yield { ...entry, link, name: `${result.metadata.title ?? entry.name} - ${chapter.name}`, chapter };
      }
    } catch (error) {
      signal.throwIfAborted();
      yield { ...entry, error };
    }
  }
}

import { createUnreadCounter, kindOf, type UnreadKinds } from '../../unread.ts';

/** The entries of a list that could be read, and the numbers of the others by kind. */
export interface ReadList<Entry> {
  readonly entries: readonly Entry[];
  readonly unread: UnreadKinds;
}

/**
 * Reads the entries of a list.
 *
 * @param read Returns undefined for an entry that it does not recognise.
 * @param listName The name of the list, which is the kind of entries without a `__typename`.
 */
export function readList<Entry>(
  items: readonly unknown[],
  read: (item: unknown) => Entry | undefined,
  listName: string,
): ReadList<Entry> {
  const entries: Entry[] = [];
  const unread = createUnreadCounter();
  for (const item of items) {
    const entry = read(item);
    if (entry === undefined) unread.add(kindOf(item, listName));
    else entries.push(entry);
  }
  return { entries, unread: unread.kinds() };
}

/** Returns the list for an object of an unknown format: one entry that could not be read. */
export function unreadList(value: unknown, place: string): ReadList<never> {
  return { entries: [], unread: { [kindOf(value, place)]: 1 } };
}

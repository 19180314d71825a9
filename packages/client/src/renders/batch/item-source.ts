/** The items of a batch, read one by one. */
export interface ItemSource<Item> {
  /** Returns the next item, or undefined at the end. The calls must not overlap. */
  take(): Promise<{ readonly item: Item } | undefined>;
  /** Adds items to the end. */
  add(items: Iterable<Item>): void;
  /** Ends the source. */
  close(): void;
  /** Whether all items have been taken. */
  readonly isExhausted: boolean;
  /** Items that have not been taken, if they are in an array or were added; others are unknown. */
  readonly untaken: readonly Item[];
  /** Number of all items, if known. */
  readonly total: number | undefined;
}

/** Opens the items of a batch. */
export function openItemSource<Item>(items: Iterable<Item> | AsyncIterable<Item>): ItemSource<Item> {
  const list: readonly Item[] | undefined = Array.isArray(items) ? [...items] : undefined;
  const iterator =
    Symbol.asyncIterator in items
      ? items[Symbol.asyncIterator]()
      : (list ?? (items as Iterable<Item>))[Symbol.iterator]();
  let taken = 0;
  let isRead = false;
  let isClosed = false;
  const added: Item[] = [];
  let addedCount = 0;
  return {
    async take() {
      const next = isRead || isClosed ? undefined : await iterator.next();
      // The source may have been closed in the meantime.
      if (isClosed) return undefined;
      if (next !== undefined && next.done !== true) {
        taken += 1;
        return { item: next.value };
      }
      isRead = true;
      const [item] = added.splice(0, 1).map((each) => ({ item: each }));
      return item;
    },
    add(more) {
      const before = added.length;
      added.push(...more);
      addedCount += added.length - before;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      if (isRead) return;
      // Nobody waits for the source to clean up; its failure concerns no item.
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    },
    get isExhausted() {
      return isClosed || (isRead && added.length === 0);
    },
    get untaken() {
      return [...(list?.slice(taken) ?? []), ...added];
    },
    get total() {
      const first = list?.length ?? (isRead || isClosed ? taken : undefined);
      return first === undefined ? undefined : first + addedCount;
    },
  };
}

import { useState } from 'preact/hooks';

/** The selected entries of a list, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  /** Selects or deselects an entry; with `range`, also those between it and the one before. */
  toggle(key: string, range: boolean): void;
  /** Selects these entries and no others. */
  replace(keys: Iterable<string>): void;
}

/**
 * Returns the keys that are selected after an entry was toggled.
 *
 * @param order All keys, in the order of the list.
 * @param anchor The entry that was toggled before, if the entries between it and this one change with it.
 */
export function toggled(
  selected: ReadonlySet<string>,
  key: string,
  order: readonly string[] = [],
  anchor?: string,
): ReadonlySet<string> {
  const next = new Set(selected);
  const [from, to] = [order.indexOf(anchor ?? key), order.indexOf(key)].toSorted((a, b) => a - b);
  const keys = from === undefined || to === undefined || from < 0 ? [key] : order.slice(from, to + 1);
  const selects = !selected.has(key);
  for (const each of keys) {
    if (selects) next.add(each);
    else next.delete(each);
  }
  return next;
}

/** Returns the selection of a list to its component. */
export function useSelection(order: readonly string[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();
  return {
    keys,
    toggle(key, range) {
      setKeys((before) => toggled(before, key, order, range ? anchor : undefined));
      setAnchor(key);
    },
    replace: (next) => setKeys(new Set(next)),
  };
}

import type { MediaFetch } from '../contract/media-fetch.ts';
import { dropOldest } from './drop-oldest.ts';

/** How long a refusal of an item's media counts, in milliseconds. */
export const MARK_LIFETIME_MS = 3_600_000;

/** Maximum number of items per profile and exit. The item whose mark changed first is forgotten first. */
const MAX_ITEMS = 500;

/** Whether the media of an item was last refused, or has arrived since then. */
export interface ItemMark {
  /** Hash of the item's key. */
  readonly item: string;
  readonly isRefused: boolean;
  /** Bytes that had arrived when it was refused. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The items whose media was refused by one profile through one exit, within the last hour. */
export interface ItemMarks {
  /** Marks the item of a fetch, or clears its mark. Returns the mark if it has changed. */
  count(item: string, fetch: MediaFetch): ItemMark | undefined;
  /** Takes over a mark of another node, unless the own one is newer. */
  merge(mark: ItemMark): void;
  /** Returns when the media of an item was refused, in milliseconds since 1970. Without marks, needs no item. */
  refusedAt(item: () => string): number | undefined;
}

/** Creates marks of no items. */
export function createItemMarks(): ItemMarks {
  const marks = new Map<string, ItemMark>();

  function set(mark: ItemMark): void {
    marks.delete(mark.item);
    marks.set(mark.item, mark);
    dropOldest(marks, MAX_ITEMS);
  }

  function find(item: string): ItemMark | undefined {
    const mark = marks.get(item);
    if (mark === undefined || mark.at > Date.now() - MARK_LIFETIME_MS) return mark;
    marks.delete(item);
    return undefined;
  }

  return {
    count(item, { outcome, bytes }) {
      const at = Date.now();
      const existing = find(item);
      if (outcome === 'refused' || outcome === 'cut') {
        const mostBytes = existing?.isRefused === true ? Math.max(existing.bytes, bytes) : bytes;
        const mark = { item, isRefused: true, bytes: mostBytes, at };
        set(mark);
        return mark;
      }
      // The start of a file also arrives before a cut, so only a fetch of more bytes clears the mark.
      if (outcome !== 'arrived' || existing?.isRefused !== true || bytes <= existing.bytes) return undefined;
      const cleared = { ...existing, isRefused: false, at };
      set(cleared);
      return cleared;
    },
    merge(mark) {
      const existing = find(mark.item);
      if (existing === undefined || existing.at < mark.at) set(mark);
    },
    refusedAt(item) {
      const mark = marks.size === 0 ? undefined : find(item());
      return mark?.isRefused === true ? mark.at : undefined;
    },
  };
}

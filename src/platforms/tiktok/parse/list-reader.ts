import { list } from '../../../parsing/values.ts';
import { createUnreadCounter, type UnreadCounter } from '../../unread.ts';

/** Reads the lists of one page, and remembers which entries are missing from the result. */
export interface ListReader {
  /**
   * Reads each entry of a list. An entry for which `read` returns nothing counts as unread.
   *
   * @param kind The path of the list in the site's data, such as `video.bitrateInfo`.
   */
  read<T>(kind: string, value: unknown, maximum: number, read: (entry: unknown) => readonly T[]): T[];
  /** Entries that no parser recognised. */
  readonly unread: UnreadCounter;
  /** Notes for the caller about lists that were longer than their maximum. */
  readonly notes: readonly string[];
}

/** Creates the reader for one page. */
export function createListReader(): ListReader {
  const unread = createUnreadCounter();
  const notes: string[] = [];
  return {
    unread,
    notes,
    read(kind, value, maximum, read) {
      const entries = list(value);
      // The site sends null for an empty list.
      if (value !== undefined && value !== null && !Array.isArray(value)) unread.add(kind);
      if (entries.length > maximum) {
        notes.push(`Omitted ${entries.length - maximum} entries of ${kind}: only the first ${maximum} are listed.`);
      }
      return entries.slice(0, maximum).flatMap((entry) => {
        const results = read(entry);
        if (results.length === 0) unread.add(kind);
        return results;
      });
    },
  };
}

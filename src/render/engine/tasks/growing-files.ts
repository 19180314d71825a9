import type { Writable } from 'node:stream';

/** How much of a file has arrived. */
export interface ArrivedRange {
  /** Bytes that are there, from its beginning and without a gap. */
  readonly bytes: number;
  /** Whether that is all. */
  readonly whole: boolean;
  /** Where its segments end, as far as they have arrived. The list may grow later. */
  readonly ends?: readonly number[];
}

/**
 * What the service sends a child about a file that is still arriving: a line of JSON after the task. It has only the ends
 * of segments that no earlier message had.
 */
export interface ArrivedRangeMessage extends ArrivedRange {
  /** Its number in the task (`input-files.ts`). */
  readonly file: number;
}

/** The files of a task that are still arriving when it begins. */
export class GrowingFiles {
  readonly #files: ArrivedRange[];
  readonly #listeners = new Set<() => void>();

  /** @param files - how much of each file has arrived. */
  constructor(files: readonly ArrivedRange[]) {
    this.#files = [...files];
  }

  /** How much of each file has arrived by now. */
  get files(): readonly ArrivedRange[] {
    return this.#files;
  }

  /** Whether all files have arrived. */
  get whole(): boolean {
    return this.#files.every(({ whole }) => whole);
  }

  /** Records that a file has grown. */
  report(file: number, range: ArrivedRange): void {
    this.#files[file] = range;
    for (const listener of this.#listeners) listener();
  }

  /** Calls a listener now and whenever a file has grown, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    listener();
    return () => this.#listeners.delete(listener);
  }
}

/**
 * Reports arrived ranges to a child until the returned function is called. While the child is slow to read, older
 * reports are replaced by newer ones, so nothing piles up.
 *
 * @param isReadable Whether the child can already read a file. Until then, nothing is reported of it.
 */
export function reportArrivedRanges(
  growingFiles: GrowingFiles,
  child: Writable,
  isReadable: (file: number) => boolean,
): () => void {
  const reports: ArrivedRange[] = [];
  const endCounts: number[] = [];
  const report = () => {
    growingFiles.files.forEach((range, file) => {
      if (range === reports[file] || child.writableNeedDrain || !isReadable(file)) return;
      reports[file] = range;
      const ends = range.ends?.slice(endCounts[file] ?? 0) ?? [];
      endCounts[file] = (endCounts[file] ?? 0) + ends.length;
      const { bytes, whole } = range;
      const message: ArrivedRangeMessage = { file, bytes, whole, ...(ends.length === 0 ? {} : { ends }) };
      child.write(`${JSON.stringify(message)}\n`);
    });
  };
  child.on('drain', report);
  const unsubscribe = growingFiles.subscribe(report);
  return () => {
    child.off('drain', report);
    unsubscribe();
  };
}

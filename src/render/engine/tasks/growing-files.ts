import type { Writable } from 'node:stream';

/** The part of a file that has arrived. */
export interface ArrivedRange {
  /** Number of contiguous bytes that are available from the beginning. */
  readonly bytes: number;
  /** Whether the file is complete. */
  readonly whole: boolean;
  /** Ends of its segments, as far as they have arrived. The list may grow later. */
  readonly ends?: readonly number[];
}

/**
 * Message from the service to a child about a file that is still arriving: a line of JSON after the task. It only
 * contains the segment ends that no earlier message contained.
 */
export interface ArrivedRangeMessage extends ArrivedRange {
  /** Number of the file in the task (`input-files.ts`). */
  readonly file: number;
}

/** The files of a task that are still arriving when it begins. */
export class GrowingFiles {
  readonly #files: ArrivedRange[];
  readonly #listeners = new Set<() => void>();

  /** @param files - the arrived part of each file. */
  constructor(files: readonly ArrivedRange[]) {
    this.#files = [...files];
  }

  /** The arrived part of each file. */
  get files(): readonly ArrivedRange[] {
    return this.#files;
  }

  /** Whether all files have arrived. */
  get whole(): boolean {
    return this.#files.every(({ whole }) => whole);
  }

  /** Updates the arrived part of a file. */
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
 * Reports arrived ranges to a child until the returned function is called. If the child is slow to read, newer reports
 * replace older ones, so they do not pile up.
 *
 * @param isReadable Whether the child can already read a file. Until then, nothing about it is reported.
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

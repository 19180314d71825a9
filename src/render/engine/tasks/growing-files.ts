import type { Writable } from 'node:stream';

/** How much of a file has arrived. */
export interface Arrived {
  /** Bytes that are there, from its beginning and without a gap. */
  readonly bytes: number;
  /** Whether that is all. */
  readonly whole: boolean;
  /** Where the pieces end that it is put together from, as far as they have arrived. The list may grow later. */
  readonly ends?: readonly number[];
}

/**
 * What the service sends a child about a file that is still arriving: a line of JSON after the task. It has only the ends
 * of pieces that no message before had.
 */
export interface GrowthMessage extends Arrived {
  /** Its number in the task (`input-files.ts`). */
  readonly file: number;
}

/** Growth of the files of a task that are still arriving when it begins. */
export class Growth {
  readonly #files: Arrived[];
  readonly #listeners = new Set<() => void>();

  /** @param files - how much of each file has arrived. */
  constructor(files: readonly Arrived[]) {
    this.#files = [...files];
  }

  /** How much of each file has arrived by now. */
  get files(): readonly Arrived[] {
    return this.#files;
  }

  /** Whether all files have arrived. */
  get whole(): boolean {
    return this.#files.every(({ whole }) => whole);
  }

  /** Records that a file has grown. */
  report(file: number, arrived: Arrived): void {
    this.#files[file] = arrived;
    for (const hear of this.#listeners) hear();
  }

  /** Calls `hear` now and whenever a file has grown, until the function that it returns is called. */
  follow(hear: () => void): () => void {
    this.#listeners.add(hear);
    hear();
    return () => this.#listeners.delete(hear);
  }
}

/**
 * Reports the growth of files to a child until the returned function is called. While the child is slow to read, older
 * reports are replaced by newer ones, so nothing piles up.
 *
 * @param admitted Whether the child can already read a file. Until then, its growth is not reported.
 */
export function tellGrowth(growth: Growth, child: Writable, admitted: (file: number) => boolean): () => void {
  const told: Arrived[] = [];
  const toldEnds: number[] = [];
  const tell = () => {
    growth.files.forEach((arrived, file) => {
      if (arrived === told[file] || child.writableNeedDrain || !admitted(file)) return;
      told[file] = arrived;
      const ends = arrived.ends?.slice(toldEnds[file] ?? 0) ?? [];
      toldEnds[file] = (toldEnds[file] ?? 0) + ends.length;
      const { bytes, whole } = arrived;
      const message: GrowthMessage = { file, bytes, whole, ...(ends.length === 0 ? {} : { ends }) };
      child.write(`${JSON.stringify(message)}\n`);
    });
  };
  child.on('drain', tell);
  const unfollow = growth.follow(tell);
  return () => {
    child.off('drain', tell);
    unfollow();
  };
}

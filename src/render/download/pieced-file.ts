import type { FileHandle } from 'node:fs/promises';
import { openToWrite } from '../../files/open-file.ts';
import type { ArrivedRange } from '../engine/tasks/growing-files.ts';

/** Where a piece goes. */
export interface Place {
  readonly file: FileHandle;
  /** Its position in the file, which is known as soon as the sizes of all pieces before it are. */
  readonly base: Promise<number>;
  /** To be told its size as early as possible: the pieces behind it wait for that. */
  readonly size: PromiseWithResolvers<number>;
  /** To be called when all its bytes are where they belong. */
  end(bytes: number): Promise<void>;
}

/** A file that is written in pieces, each behind the one before it, in whatever order they arrive. */
export interface PiecedFile {
  /** Gives out the place of the next piece. */
  take(): Promise<Place>;
  /** Bytes that are there, from the beginning and without a gap. */
  readonly bytes: number;
  /** Frees what a download that failed has left open. */
  close(): Promise<void>;
}

/**
 * Makes a file of so many pieces, one at least; `onGrown` hears how much of it is there without a gap. `goesOn`: what
 * the file holds is left in it, for pieces that are there already. The engine may read the file while it grows, so it
 * may have a second link. `worker/work-folders.ts` checks that it had one link when the run began.
 */
export function createPiecedFile(
  path: string,
  pieces: number,
  onGrown: (arrived: ArrivedRange) => void,
  goesOn = false,
): PiecedFile {
  const ended = new Map<number, number>();
  const ends: number[] = [];
  let opened: Promise<FileHandle> | undefined;
  let end: Promise<number> = Promise.resolve(0);
  let taken = 0;
  let counted = 0;
  let bytes = 0;

  async function close(): Promise<void> {
    const file = opened;
    opened = undefined;
    // The error was already reported to the caller that took a place.
    await (await file?.catch(() => undefined))?.close();
  }

  async function pieceEnded(order: number, length: number): Promise<void> {
    ended.set(order, length);
    const before = counted;
    for (let next = ended.get(counted); next !== undefined; next = ended.get(counted)) {
      ended.delete(counted);
      counted += 1;
      bytes += next;
      ends.push(bytes);
    }
    if (counted === pieces) {
      // What was there before may have been longer.
      await (await opened)?.truncate(bytes);
      await close();
    }
    if (counted > before) onGrown({ bytes, whole: counted === pieces, ends });
  }

  return {
    async take() {
      const order = taken;
      taken += 1;
      const base = end;
      const size = Promise.withResolvers<number>();
      end = Promise.all([base, size.promise]).then(([at, length]) => at + length);
      // When a piece fails, so do the places behind it; the piece's own error is reported where it is fetched.
      end.catch(() => undefined);
      opened ??= openToWrite(path, { keep: goesOn, links: 'any' });
      return { file: await opened, base, size, end: (length) => pieceEnded(order, length) };
    },
    get bytes() {
      return bytes;
    },
    close,
  };
}

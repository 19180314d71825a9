import type { FileHandle } from 'node:fs/promises';
import { openForWriting } from '../../files/open-file.ts';
import type { FileGrowth } from './growing-file.ts';

/** The place of a media resource in a file. */
export interface FileSlot {
  readonly file: FileHandle;
  /** Its position in the file, which is known as soon as the sizes of all resources before it are. */
  readonly base: Promise<number>;
  /** Resolve it with the size as early as possible: the resources behind it wait for that. */
  readonly size: PromiseWithResolvers<number>;
  /** Call it when all its bytes are in their place. */
  end(bytes: number): Promise<void>;
}

/** A file that media resources are written to, each behind the one before it, in whatever order they arrive. */
export interface ConcatenatedFile {
  /** Returns the place of the next resource. */
  take(): Promise<FileSlot>;
  /** Bytes that are there, from the beginning and without a gap. */
  readonly bytes: number;
  /** Closes the file if a failed download has left it open. */
  close(): Promise<void>;
}

/**
 * Creates a file of `count` resources, one at least. `onGrowth` is called with how much of it is there without a gap.
 * `resumes`: the content of the file stays, for resources that are stored already. The engine may read the file while it
 * grows, so it may have a second link. `worker/work-folders.ts` checks that it had one link when the run began.
 */
export function createConcatenatedFile(
  path: string,
  count: number,
  onGrowth: (growth: FileGrowth) => void,
  resumes = false,
): ConcatenatedFile {
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

  async function resourceEnded(order: number, length: number): Promise<void> {
    ended.set(order, length);
    const before = counted;
    for (let next = ended.get(counted); next !== undefined; next = ended.get(counted)) {
      ended.delete(counted);
      counted += 1;
      bytes += next;
      ends.push(bytes);
    }
    if (counted === count) {
      // The file of a former run may have been longer.
      await (await opened)?.truncate(bytes);
      await close();
    }
    if (counted > before) onGrowth({ bytes, whole: counted === count, ends });
  }

  return {
    async take() {
      const order = taken;
      taken += 1;
      const base = end;
      const size = Promise.withResolvers<number>();
      end = Promise.all([base, size.promise]).then(([at, length]) => at + length);
      // When a resource fails, so do the places behind it; its own error is reported where it is fetched.
      end.catch(() => undefined);
      opened ??= openForWriting(path, { keep: resumes, links: 'any' });
      return { file: await opened, base, size, end: (length) => resourceEnded(order, length) };
    },
    get bytes() {
      return bytes;
    },
    close,
  };
}

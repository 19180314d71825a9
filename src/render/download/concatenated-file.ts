import type { FileHandle } from 'node:fs/promises';
import { openForWriting } from '../../files/open-file.ts';
import type { FileProgress } from './file-progress.ts';

/** The place of a media resource in a file. */
export interface FileSlot {
  readonly file: FileHandle;
  /** Its position in the file, which is known as soon as the sizes of all resources before it are. */
  readonly offset: Promise<number>;
  /** Resolve it with the size as early as possible: the resources behind it wait for that. */
  readonly size: PromiseWithResolvers<number>;
  /** Call it when all its bytes are in their place. */
  complete(bytes: number): Promise<void>;
}

/** A file that media resources are written to, each behind the one before it, in whatever order they arrive. */
interface ConcatenatedFile {
  /** Returns the place of the next resource. */
  reserveSlot(): Promise<FileSlot>;
  /** Bytes that are there, from the beginning and without a gap. */
  readonly bytes: number;
  /** Closes the file if a failed download has left it open. */
  close(): Promise<void>;
}

/**
 * Creates a file of `count` resources, one at least. `onFileProgress` is called with how much of it is there without a gap.
 * `resumes`: the content of the file stays, for resources that are stored already. The engine may read the file while it
 * grows, so it may have a second link. `worker/work-folders.ts` checks that it had one link when the run began.
 */
export function createConcatenatedFile(
  path: string,
  count: number,
  onFileProgress: (progress: FileProgress) => void,
  resumes = false,
): ConcatenatedFile {
  const endedLengths = new Map<number, number>();
  const ends: number[] = [];
  let openFile: Promise<FileHandle> | undefined;
  let nextOffset: Promise<number> = Promise.resolve(0);
  let reservedSlots = 0;
  let contiguousResources = 0;
  let bytes = 0;

  async function close(): Promise<void> {
    const file = openFile;
    openFile = undefined;
    // The error was already reported to the caller that took a place.
    await (await file?.catch(() => undefined))?.close();
  }

  async function completeResource(order: number, length: number): Promise<void> {
    endedLengths.set(order, length);
    const before = contiguousResources;
    for (
      let next = endedLengths.get(contiguousResources);
      next !== undefined;
      next = endedLengths.get(contiguousResources)
    ) {
      endedLengths.delete(contiguousResources);
      contiguousResources += 1;
      bytes += next;
      ends.push(bytes);
    }
    if (contiguousResources === count) {
      // The file of a former run may have been longer.
      await (await openFile)?.truncate(bytes);
      await close();
    }
    if (contiguousResources > before) onFileProgress({ bytes, whole: contiguousResources === count, ends });
  }

  return {
    async reserveSlot() {
      const order = reservedSlots;
      reservedSlots += 1;
      const offset = nextOffset;
      const size = Promise.withResolvers<number>();
      nextOffset = Promise.all([offset, size.promise]).then(([at, length]) => at + length);
      // When a resource fails, so do the places behind it; its own error is reported where it is fetched.
      nextOffset.catch(() => undefined);
      openFile ??= openForWriting(path, { keep: resumes, links: 'any' });
      return { file: await openFile, offset, size, complete: (length) => completeResource(order, length) };
    },
    get bytes() {
      return bytes;
    },
    close,
  };
}

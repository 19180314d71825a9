import type { FileHandle } from 'node:fs/promises';
import { openForWriting } from '../../files/open-file.ts';
import type { FileProgress } from './file-progress.ts';

/** The position of a media resource in a file. */
export interface FileSlot {
  readonly file: FileHandle;
  /** Offset in the file, known once the sizes of all preceding resources are known. */
  readonly offset: Promise<number>;
  /** Resolve it with the size as early as possible: the following resources wait for it. */
  readonly size: PromiseWithResolvers<number>;
  /** Call it when all bytes of the resource are written. */
  complete(bytes: number): Promise<void>;
}

/** A file in which media resources are concatenated, in whatever order they arrive. */
interface ConcatenatedFile {
  /** Returns the slot of the next resource. */
  reserveSlot(): Promise<FileSlot>;
  /** Number of bytes present from the start of the file without a gap. */
  readonly bytes: number;
  /** Closes the file if a failed download left it open. */
  close(): Promise<void>;
}

/**
 * Creates a file of `count` resources, at least one. `onFileProgress` is called with the number of bytes that are
 * present without a gap. With `resumes`, the content of the file is kept for resources that are already stored. The
 * engine may read the file while it grows, so it may have a second hard link. `worker/work-folders.ts` checks that it
 * had one link when the run started.
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
    // The error was already reported to the caller that reserved a slot.
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
      // The file of an earlier run may have been longer.
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
      // When a resource fails, the offsets after it fail too. The resource's own error is reported where the resource
      // is fetched.
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

import type { FileHandle } from 'node:fs/promises';
import { openForWriting } from '../../files/open-file.ts';
import { removeFile } from '../../files/remove-tree.ts';
import { writeBytes } from '../../files/write-size.ts';
import { queueWrite } from './queued-writes.ts';
import { acquireBuffer, releaseBuffer } from './write-buffer-pool.ts';

/** Minimum size in bytes of a write, except the last one: a sender may send one byte at a time. */
const minWriteBytes = 64 * 1024;

/** A region of a side file, with bytes in order. */
export interface SideRegion {
  /** Number of bytes. */
  readonly size: number;
  /**
   * Adds bytes, which may change after this returns. Await the promise, if any, before the next call.
   *
   * @throws An error of the file system.
   */
  append(chunk: Buffer): undefined | Promise<undefined>;
  /**
   * Copies the bytes to a file from an offset.
   *
   * @throws An error of the file system.
   */
  copyTo(file: FileHandle, at: number): Promise<void>;
  /** Leaves the region to others. */
  release(): void;
}

/** A temporary file for bytes that have no place yet. It exists once there are any. */
interface SideFile {
  open(): SideRegion;
  /** Deletes the file. */
  close(): Promise<void>;
}

/** Creates a side file with regions of at most `regionBytes`. */
export function createSideFile(path: string, regionBytes: number): SideFile {
  let opening: Promise<FileHandle> | undefined;
  const freeRegions: number[] = [];
  let regions = 0;
  /** The last copy. Each needs a buffer, so there is only one at once. */
  let lastCopy: Promise<unknown> = Promise.resolve();

  async function write(bytes: Buffer<ArrayBuffer>, at: number): Promise<undefined> {
    try {
      opening ??= openForWriting(path, { keep: false });
      await queueWrite(await opening, [bytes], at);
    } finally {
      free(bytes);
    }
  }

  async function copy(from: number, length: number, file: FileHandle, at: number): Promise<void> {
    const side = await opening;
    const buffer = acquireBuffer();
    try {
      for (let copied = 0; copied < length; ) {
        const part = Math.min(writeBytes, length - copied);
        const bytesRead = (await side?.read(buffer, 0, part, from + copied))?.bytesRead ?? 0;
        if (bytesRead === 0) throw new Error(`${path} is shorter than what was written to it`);
        await queueWrite(file, [buffer.subarray(0, bytesRead)], at + copied);
        copied += bytesRead;
      }
    } finally {
      releaseBuffer(buffer);
    }
  }

  function open(): SideRegion {
    const region = freeRegions.pop() ?? regions++;
    const from = region * regionBytes;
    let written = 0;
    /** Bytes that are collected for the next write. */
    let collected = 0;
    let collecting: Buffer<ArrayBuffer> | undefined;
    return {
      get size() {
        return written + collected;
      },
      append(chunk) {
        if (collected + chunk.length < minWriteBytes) {
          collecting ??= Buffer.allocUnsafeSlow(minWriteBytes);
          collected += chunk.copy(collecting, collected);
          return undefined;
        }
        const bytes = Buffer.allocUnsafeSlow(collected + chunk.length);
        chunk.copy(bytes, collecting?.copy(bytes, 0, 0, collected));
        const at = from + written;
        written += bytes.length;
        collected = 0;
        return write(bytes, at);
      },
      async copyTo(file, at) {
        if (written > 0) {
          const copyWritten = () => copy(from, written, file, at);
          const copying = lastCopy.then(copyWritten, copyWritten);
          lastCopy = copying;
          await copying;
        }
        if (collecting !== undefined) await queueWrite(file, [collecting.subarray(0, collected)], at + written);
      },
      release() {
        if (collecting !== undefined) free(collecting);
        collecting = undefined;
        freeRegions.push(region);
      },
    };
  }

  return {
    open,
    async close() {
      if (opening === undefined) return;
      // The writer that needed the file has reported an error.
      await (await opening.catch(() => undefined))?.close();
      await removeFile(path);
    },
  };
}

/** Releases memory at once, as in `write-buffer-pool.ts`. */
function free(bytes: Buffer<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

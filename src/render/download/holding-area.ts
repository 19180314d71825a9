import type { FileHandle } from 'node:fs/promises';
import { writeBytes } from '../../files/write-size.ts';
import type { HeldMemory } from './held-memory.ts';
import { filledParts, queueWrite } from './queued-writes.ts';
import { createSideFile, type SideRegion } from './side-file.ts';
import { acquireBuffer, releaseBuffer } from './write-buffer-pool.ts';

/** Maximum number of bytes of one resource that are held. The sender keeps the others. */
export const maxHeldBytes = 8 * 1024 * 1024;

/** The bytes of a resource until its offset in the file is known, at most {@link maxHeldBytes}. */
export type HeldBytes = SideRegion;

/** Holds bytes of several resources. */
interface HoldingArea {
  open(): HeldBytes;
  /** Deletes the side file. */
  close(): Promise<void>;
}

/**
 * Creates an area that holds bytes in memory, and in a side file at `path` while the budget is used up. The download
 * continues at full speed then. If connections had to pause instead, the others would carry less, and some servers would close
 * them.
 */
export function createHoldingArea(path: string, memory: HeldMemory): HoldingArea {
  const sideFile = createSideFile(path, maxHeldBytes);

  function open(): HeldBytes {
    let buffers: Buffer<ArrayBuffer>[] = [];
    /** Number of bytes in memory. Those after them are in the side file. */
    let kept = 0;
    let region: SideRegion | undefined;

    /** Copies as much of a chunk to memory as the budget allows. Returns the rest. */
    function keep(chunk: Buffer): Buffer {
      let at = 0;
      while (at < chunk.length) {
        const usedBytes = kept % writeBytes;
        if (usedBytes === 0) {
          if (!memory.take(writeBytes)) break;
          buffers.push(acquireBuffer());
        }
        const bytesCopied = chunk.copy(buffers.at(-1) ?? chunk, usedBytes, at);
        at += bytesCopied;
        kept += bytesCopied;
      }
      return chunk.subarray(at);
    }
    function releaseMemory(): void {
      buffers.forEach(releaseBuffer);
      memory.give(buffers.length * writeBytes);
      buffers = [];
    }

    return {
      get size() {
        return kept + (region?.size ?? 0);
      },
      append(chunk) {
        const rest = region === undefined ? keep(chunk) : chunk;
        if (rest.length === 0) return undefined;
        region ??= sideFile.open();
        return region.append(rest);
      },
      async copyTo(file: FileHandle, at: number) {
        if (kept > 0) await queueWrite(file, filledParts(buffers, kept), at);
        releaseMemory();
        await region?.copyTo(file, at + kept);
      },
      release() {
        releaseMemory();
        region?.release();
        region = undefined;
        kept = 0;
      },
    };
  }
  return { open, close: () => sideFile.close() };
}

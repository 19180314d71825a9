import type { FileHandle } from 'node:fs/promises';
import { writeBytes } from '../../files/write-size.ts';
import type { ByteRange } from './byte-ranges.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';
import { type HeldBytes, maxHeldBytes } from './holding-area.ts';

/**
 * Creates a writer to a file like `file-writer.ts`, but its position 0 is at an offset that is not known yet. Until then
 * it holds up to {@link maxHeldBytes}, and then backpressure holds the sender.
 */
export function createHoldingWriter(
  file: FileHandle,
  fileOffset: Promise<number>,
  held: HeldBytes,
  onWritten: (range: ByteRange) => void,
): ByteWriter {
  let start = 0;
  let isPlacing = false;
  let appending: undefined | Promise<undefined>;
  let writer: ByteWriter | undefined;

  /** Writes the held bytes to their place as soon as it is known, although no more may arrive. */
  async function place(): Promise<ByteWriter> {
    try {
      const offset = await fileOffset.finally(() => {
        // From here on, nothing more is held.
        isPlacing = true;
      });
      await appending;
      const { size } = held;
      if (size > 0) {
        await held.copyTo(file, offset + start);
        onWritten({ from: start, end: start + size });
      }
      writer = createFileWriter(file, offset, onWritten);
      return writer;
    } finally {
      held.release();
    }
  }
  const placing = place();
  // The failure is reported where the promise is awaited.
  placing.catch(() => undefined);

  async function writePlaced(position: number, chunk: Buffer): Promise<undefined> {
    const copy = Buffer.from(chunk);
    await appending;
    await (await placing).write(position, copy);
  }
  async function flush(): Promise<undefined> {
    // A disk that is full is reported at once.
    await appending;
    await (await placing).flush();
  }
  return {
    write(position, chunk) {
      if (writer !== undefined) return writer.write(position, chunk);
      if (held.size === 0) start = position;
      if (isPlacing || position !== start + held.size) return writePlaced(position, chunk);
      const part = chunk.subarray(0, maxHeldBytes - held.size);
      appending = held.append(part);
      // The sender waits while there is still space for a chunk, which would be one more thing to hold.
      if (held.size + writeBytes <= maxHeldBytes) return appending;
      return writePlaced(position + part.length, chunk.subarray(part.length));
    },
    flush,
    finish: flush,
  };
}

import type { ByteRange } from './byte-ranges.ts';
import type { ByteWriter } from './file-writer.ts';

/**
 * Creates a writer into memory: `bytes` begins with the byte at position `from`, and has space for all of them.
 * `onWritten` is called with the positions that have been written.
 */
export function createMemoryWriter(bytes: Buffer, from: number, onWritten: (range: ByteRange) => void): ByteWriter {
  return {
    write(position, chunk) {
      chunk.copy(bytes, position - from);
      onWritten({ from: position, end: position + chunk.length });
      return undefined;
    },
    flush: async () => undefined,
    finish: async () => undefined,
  };
}

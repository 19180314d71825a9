import type { ByteWriter } from './file-writer.ts';

/** Creates a writer into memory: `bytes` begins with the byte at position `from`, and has space for all of them. */
export function createMemoryWriter(bytes: Buffer, from: number): ByteWriter {
  return {
    write(position, chunk) {
      chunk.copy(bytes, position - from);
      return undefined;
    },
    flush: async () => undefined,
    finish: async () => undefined,
  };
}

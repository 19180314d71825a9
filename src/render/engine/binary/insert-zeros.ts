import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { writeBytes } from '../../../files/write-size.ts';
import { writeAll } from './overwrite.ts';

/** Inserts zeros into a file at an offset. What follows is moved in pieces, from its end. */
export function insertZeros(path: string, offset: number, count: number): void {
  const descriptor = openSync(path, 'r+');
  try {
    const chunk = Buffer.alloc(writeBytes);
    for (let end = fstatSync(descriptor).size; end > offset; ) {
      const start = Math.max(offset, end - writeBytes);
      const length = readSync(descriptor, chunk, 0, end - start, start);
      if (length < end - start) throw new Error('a file became shorter');
      writeAll(descriptor, start + count, chunk.subarray(0, length));
      end = start;
    }
    chunk.fill(0);
    for (let at = 0; at < count; at += writeBytes) {
      writeAll(descriptor, offset + at, chunk.subarray(0, Math.min(writeBytes, count - at)));
    }
  } finally {
    closeSync(descriptor);
  }
}

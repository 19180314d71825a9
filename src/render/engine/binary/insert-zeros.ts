import { closeSync, fstatSync, openSync } from 'node:fs';
import { writeBytes } from '../../../files/write-size.ts';
import { writeAll } from './overwrite.ts';
import { shiftBytes } from './shift-bytes.ts';

/** Inserts zeros into a file at an offset. */
export function insertZeros(path: string, offset: number, count: number): void {
  const file = openSync(path, 'r+');
  try {
    shiftBytes(file, offset, fstatSync(file).size, count);
    const zeros = Buffer.alloc(Math.min(count, writeBytes));
    for (let at = 0; at < count; at += zeros.length) {
      writeAll(file, offset + at, zeros.subarray(0, Math.min(zeros.length, count - at)));
    }
  } finally {
    closeSync(file);
  }
}

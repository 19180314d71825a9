import { closeSync, openSync, writeSync } from 'node:fs';

/** Overwrites bytes of a file at the given offset. */
export function overwrite(path: string, offset: number, bytes: Buffer): void {
  const descriptor = openSync(path, 'r+');
  try {
    writeAll(descriptor, offset, bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all of the bytes to an open file. */
export function writeAll(descriptor: number, offset: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
}

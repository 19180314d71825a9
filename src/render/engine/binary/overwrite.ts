import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes bytes over what stands at a place of a file. */
export function overwrite(path: string, offset: number, bytes: Buffer): void {
  const descriptor = openSync(path, 'r+');
  try {
    writeAll(descriptor, offset, bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all of the bytes into an open file. */
export function writeAll(descriptor: number, offset: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
}

import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes bytes over what stands at a place of a file. */
export function overwrite(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    writeAll(file, offset, bytes);
  } finally {
    closeSync(file);
  }
}

/** Writes all of the bytes into an open file. */
export function writeAll(file: number, offset: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, offset + done);
}

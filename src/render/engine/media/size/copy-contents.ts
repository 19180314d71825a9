import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Size of the pieces in which a file is copied. */
const chunkBytes = 1024 * 1024;

/**
 * Copies a file, and replaces another one. A child may neither rename files nor use `copyFile`, which also copies the
 * file mode.
 */
export function copyContents(from: string, to: string): void {
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'w');
    try {
      const chunk = Buffer.alloc(chunkBytes);
      for (let length = readSync(source, chunk); length > 0; length = readSync(source, chunk)) {
        for (let at = 0; at < length; ) at += writeSync(target, chunk, at, length - at);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file, or an in-memory buffer with the same interface. */
export interface ByteSource {
  readonly size: number;
  /** Returns up to `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Buffer;
}

/** Opens a file, passes it to `use`, and closes it. */
export function withFile<Result>(path: string, use: (source: ByteSource) => Result): Result {
  const descriptor = openSync(path, 'r');
  try {
    return use({
      size: fstatSync(descriptor).size,
      read: (offset, length) => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
      },
    });
  } finally {
    closeSync(descriptor);
  }
}

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What a media file says of its own size and length, before anything is decoded. */
export interface Claims {
  /** Why the file must be cut short, in words that go on after its name; absent when it seems whole. */
  readonly cut?: string;
  /** Seconds that its header promises, where the media library may not tell. */
  readonly duration?: number;
}

/** A file, or a buffer in its place. */
export interface ByteSource {
  readonly size: number;
  /** Up to `length` bytes from `offset`; fewer at the end. */
  read(offset: number, length: number): Buffer;
}

/** Opens a file, hands it to `use`, and closes it. */
export function withFile<Result>(path: string, use: (source: ByteSource) => Result): Result {
  const file = openSync(path, 'r');
  try {
    return use({
      size: fstatSync(file).size,
      read: (offset, length) => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
      },
    });
  } finally {
    closeSync(file);
  }
}

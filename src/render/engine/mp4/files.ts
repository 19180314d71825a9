import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MillraceError } from '../../../contract/errors.ts';
import type { ByteSource } from '../claims/byte-source.ts';

/** A file that is read here and there. Its owner closes it. */
export interface InputFile {
  readonly source: ByteSource;
  /**
   * Reads `length` bytes from `offset` into `into`, from `at` on.
   *
   * @throws MillraceError `processing_failed` when they are not there any more.
   */
  read(into: Buffer, at: number, length: number, offset: number): void;
  close(): void;
}

/** Opens a file for reading. */
export function openInputFile(path: string): InputFile {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  return {
    source: {
      size,
      read: (offset, length) => {
        const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
      },
    },
    read(into, at, length, offset) {
      for (let done = 0; done < length; ) {
        const got = readSync(file, into, at + done, length - done, offset + done);
        if (got === 0) {
          throw new MillraceError(
            'processing_failed',
            'An input became shorter while it was read. Start the job again.',
          );
        }
        done += got;
      }
    },
    close: () => closeSync(file),
  };
}

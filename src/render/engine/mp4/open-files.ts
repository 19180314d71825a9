import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { MillraceError } from '../../../contract/errors.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { diskFullError, isDiskFull } from '../errors/disk-full.ts';

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
      for (let doneBytes = 0; doneBytes < length; ) {
        const readBytes = readSync(file, into, at + doneBytes, length - doneBytes, offset + doneBytes);
        if (readBytes === 0) {
          throw new MillraceError(
            'processing_failed',
            'An input became shorter while it was read. Start the job again.',
          );
        }
        doneBytes += readBytes;
      }
    },
    close: () => closeSync(file),
  };
}

/** A file that is written here and there. Its owner closes it. */
export interface OutputFile {
  /**
   * Writes bytes from `position` on.
   *
   * @throws MillraceError `processing_failed` when that cannot be done, `storage_failed` for a full disk.
   */
  write(bytes: Buffer, position: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file for writing: a new one (`w`), or one that is there already (`r+`).
 *
 * @throws MillraceError `processing_failed` when that cannot be done.
 */
export async function openOutputFile(path: string, flags: 'w' | 'r+'): Promise<OutputFile> {
  const file = await open(path, flags).catch(throwWriteError);
  const write = async (bytes: Buffer, position: number) => {
    for (let doneBytes = 0; doneBytes < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, doneBytes, bytes.length - doneBytes, position + doneBytes);
      doneBytes += bytesWritten;
    }
  };
  return { write: (bytes, position) => write(bytes, position).catch(throwWriteError), close: () => file.close() };
}

function throwWriteError(cause: unknown): never {
  if (isDiskFull(cause)) throw diskFullError(cause);
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
  throw new MillraceError('processing_failed', `The result cannot be written (${reason}). Start the job again.`, {
    cause,
    reason,
  });
}

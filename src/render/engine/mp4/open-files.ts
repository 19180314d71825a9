import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { MillraceError } from '../../../contract/errors.ts';
import { writeBytes } from '../../../files/write-size.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { diskFullError, isDiskFull } from '../errors/disk-full.ts';

/** A file opened for random reads. Its owner closes it. */
export interface InputFile {
  readonly source: ByteSource;
  /**
   * Reads `length` bytes at `offset` into `into`, starting at index `at`.
   *
   * @throws MillraceError `processing_failed` if the file has become shorter.
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
            'An input became shorter while it was being read. Start the job again.',
          );
        }
        doneBytes += readBytes;
      }
    },
    close: () => closeSync(file),
  };
}

/** A file opened for random writes. Its owner closes it. */
export interface OutputFile {
  /**
   * Writes bytes at `position`.
   *
   * @throws MillraceError `processing_failed` if that fails, `storage_failed` if the disk is full.
   */
  write(bytes: Buffer, position: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file for writing: a new one (`w`) or an existing one (`r+`).
 *
 * @throws MillraceError `processing_failed` if that fails.
 */
export async function openOutputFile(path: string, flags: 'w' | 'r+'): Promise<OutputFile> {
  const file = await open(path, flags).catch(throwWriteError);
  const write = async (bytes: Buffer, position: number) => {
    for (let doneBytes = 0; doneBytes < bytes.length; ) {
      const length = Math.min(writeBytes, bytes.length - doneBytes);
      const { bytesWritten } = await file.write(bytes, doneBytes, length, position + doneBytes);
      doneBytes += bytesWritten;
    }
  };
  return { write: (bytes, position) => write(bytes, position).catch(throwWriteError), close: () => file.close() };
}

function throwWriteError(cause: unknown): never {
  if (isDiskFull(cause)) throw diskFullError(cause);
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
  throw new MillraceError('processing_failed', `The result could not be written (${reason}). Start the job again.`, {
    cause,
    reason,
  });
}

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ifMissing } from '../files/if-missing.ts';
import { replaceFile } from '../files/replace-file.ts';
import { createTextFile, readTextFile } from '../files/small-file.ts';
import { UnsafeFileError } from '../files/unsafe-file-error.ts';
import { MARK_NAME, MAX_MARK_BYTES } from './identity-mark.ts';
import type { Storage } from './storage.ts';

/** Reads and writes the mark of a store in a folder: a small file at its root. */
export function openDiskMark(folder: string): Pick<Storage, 'readMark' | 'writeMark'> {
  const path = join(folder, MARK_NAME);
  return {
    readMark: () => readTextFile(path, MAX_MARK_BYTES, { links: 'any' }).catch(ifUnsafe).catch(ifMissing),
    async writeMark(text, { replace }) {
      if (!replace) return await createTextFile(path, text);
      await replaceFile(path, Readable.from([Buffer.from(text)]));
      return true;
    },
  };
}

/** Treats a folder or a link in place of the mark as an unreadable mark. */
function ifUnsafe(error: unknown): string {
  if (error instanceof UnsafeFileError) return '';
  throw error;
}

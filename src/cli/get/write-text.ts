import { writeFile } from 'node:fs/promises';
import { sanitiseText } from '../../parsing/sanitise-text.ts';
import { fileError } from './file-error.ts';

/** Writes a text from a platform to a file. @throws CommandError */
export async function writeText(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, sanitiseText(text), { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw fileError(path, error);
  }
}

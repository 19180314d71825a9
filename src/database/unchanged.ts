import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../files/if-missing.ts';
import { readText, replaceText } from '../files/small-file.ts';

/** Length of a fingerprint. */
const BYTES = 64;

function noteOf(folder: string): string {
  return `${folder}.unchanged`;
}

/**
 * Notes, after an orderly stop, which files a database consists of: everything in them is on disk, and whole. The note lies
 * beside the folder.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function noteUnchanged(folder: string): Promise<void> {
  await replaceText(noteOf(folder), await fingerprintOf(folder));
}

/**
 * Whether nobody has written, replaced, added or removed a file of a database since its orderly stop. After a crash, after
 * another version ran, and in a copy, files are not what the note says.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function isUnchanged(folder: string): Promise<boolean> {
  const noted = await readText(noteOf(folder), BYTES, { links: 'any' }).catch(ifMissing);
  return noted !== undefined && noted === (await fingerprintOf(folder));
}

/** A change of a file changes its time of change, which nobody can set (stat(2)); a copy has another inode. */
async function fingerprintOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const files = await Promise.all(names.map((name) => lstat(join(folder, name), { bigint: true })));
  const lines = files.map(({ ino, size, ctimeNs }, at) => `${names[at]} ${ino} ${size} ${ctimeNs}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

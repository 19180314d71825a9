import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../../files/if-missing.ts';
import { readTextFile, replaceTextFile } from '../../files/small-file.ts';

/** Length of a fingerprint. */
const FINGERPRINT_LENGTH = 64;

function fingerprintFileOf(folder: string): string {
  return `${folder}.unchanged`;
}

/**
 * Saves a fingerprint of a database's files after a clean shutdown, when all of them are complete and on disk. It is a
 * file next to the folder.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function saveFingerprint(folder: string): Promise<void> {
  await replaceTextFile(fingerprintFileOf(folder), await fingerprintOf(folder));
}

/**
 * Whether no file of a database was written, replaced, added or removed since its clean shutdown. After a crash or a
 * run of another version, and in a copy, the fingerprint differs.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function isUnchanged(folder: string): Promise<boolean> {
  const savedFingerprint = await readTextFile(fingerprintFileOf(folder), FINGERPRINT_LENGTH, { links: 'any' }).catch(
    ifMissing,
  );
  return savedFingerprint !== undefined && savedFingerprint === (await fingerprintOf(folder));
}

/**
 * Returns the fingerprint of a database's files. A changed file has a new change time, which nobody can set (stat(2)).
 * A copy has another inode.
 */
async function fingerprintOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const files = await Promise.all(names.map((name) => lstat(join(folder, name), { bigint: true })));
  const lines = files.map(({ ino, size, ctimeNs }, index) => `${names[index]} ${ino} ${size} ${ctimeNs}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

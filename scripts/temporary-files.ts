import { chmodSync, rmSync, statfsSync } from 'node:fs';
import { makeTemporaryFolder } from '../src/files/temporary-folder.ts';

/** Where Linux has memory as a file system. */
const MEMORY = '/dev/shm';
/** More than all tests ever have at once. */
const ROOM_BYTES = 6e9;

/**
 * Has this process, and the ones that it starts, keep temporary files in memory, where there is room for them: an embedded
 * database is a thousand small files, and many a test makes and deletes one. A disk takes up to twenty times as long
 * for that (ext4 without a journal does not give a deleted file's inode to another for minutes, and looks at all of
 * them again for each file that is made: 0.5 ms, measured 2026-11-22). `TMPDIR` says otherwise.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  process.env.TMPDIR = MEMORY;
  const { path: folder } = makeTemporaryFolder('millrace-tests-');
  process.env.TMPDIR = folder;
  // Servers that refuse to run as root have folders of their own in it.
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // Other systems have none.
    return false;
  }
}

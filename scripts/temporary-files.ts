import { chmodSync, rmSync, statfsSync } from 'node:fs';
import { makeTemporaryFolder } from '../src/files/temporary-folder.ts';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Required free space in bytes, which is more than all tests need at any time. */
const ROOM_BYTES = 6e9;

/**
 * Makes this process and its children store temporary files in memory, if there is enough. An embedded database
 * consists of a thousand small files, and many tests create and delete one. A disk can take twenty times as long. For
 * some minutes, ext4 without a journal does not reuse the inode of a deleted file, and checks all such inodes again for
 * each new file (0.5 ms, measured 2026-11-22). `TMPDIR` takes precedence.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  process.env.TMPDIR = MEMORY;
  const { path: folder } = makeTemporaryFolder('millrace-tests-');
  process.env.TMPDIR = folder;
  // Servers that refuse to run as root have their own folders inside this one.
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // Other systems have no such folder.
    return false;
  }
}

import { constants } from 'node:fs';
import { type FileHandle, lstat, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Folder, inItsFolder, openFolder } from './folder.ts';
import { FILE_MODE, faultOf, openEntry } from './open-file.ts';
import { UnsafeFileError } from './unsafe-file-error.ts';

/** A file that a child created, held open: reads through the handle get the file that was checked. */
export interface HeldResult {
  readonly file: FileHandle;
  /**
   * Moves it to a path in a folder that only the service writes, and makes the service its only user. Afterwards the moved
   * file is compared with the handle.
   *
   * @throws UnsafeFileError if another file was moved, which is then deleted; EXDEV for another file system.
   */
  moveTo(destination: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a result: a regular file of the reported size, with one link.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export async function holdResult(path: string, size: number): Promise<HeldResult> {
  const folder = await openFolder(dirname(path));
  try {
    return await heldIn(folder, basename(path), path, size);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** A file that a child reports as its result. */
export interface AnnouncedFile {
  /** Its name in the child's output folder. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Takes the one file that a child reported out of its output folder, and leaves everything else there. Call it only after
 * the child has ended, because a running child could still write to the file.
 *
 * @param destination Path in a folder of the same file system that only the service writes.
 * @throws UnsafeFileError for a link, a FIFO, a device, a socket, a folder, a file with several links or of another size,
 *   and for a name that is a path; an error of the file system, such as ENOENT.
 */
export async function takeFile(
  outputFolder: string,
  { name, size }: AnnouncedFile,
  destination: string,
): Promise<void> {
  const folder = await openFolder(outputFolder);
  try {
    const held = await heldIn(folder, name, join(outputFolder, name), size);
    await held.moveTo(destination).finally(() => held.file.close());
  } finally {
    await folder.close();
  }
}

async function heldIn(folder: Folder, name: string, path: string, size: number): Promise<HeldResult> {
  const source = folder.at(name);
  const file = await openEntry(source, constants.O_RDONLY, path, { size });
  return {
    file,
    moveTo: (destination) =>
      inItsFolder(destination, async (target) => {
        await rename(source, target);
        const fault = await faultOfMoved(file, target, size);
        if (fault !== undefined) {
          await unlink(target);
          throw new UnsafeFileError(path, fault);
        }
        await makeOurs(file);
      }),
    close: () => file.close().finally(() => folder.close()),
  };
}

/** Checks that the moved file is the held one, and that it is unchanged since the first check. */
async function faultOfMoved(file: FileHandle, target: string, size: number): Promise<string | undefined> {
  const [held, moved] = await Promise.all([file.stat({ bigint: true }), lstat(target, { bigint: true })]);
  if (held.dev !== moved.dev || held.ino !== moved.ino) return 'was replaced while it was taken';
  return faultOf(held, { size });
}

/** Makes the service the only user of a file. A child may run as its own user, which would remain the owner. */
export async function makeOurs(file: FileHandle): Promise<void> {
  const { uid } = await file.stat();
  const [ownUid, ownGid] = [process.geteuid?.(), process.getegid?.()];
  if (ownUid !== undefined && ownGid !== undefined && uid !== ownUid) await file.chown(ownUid, ownGid);
  await file.chmod(FILE_MODE);
}

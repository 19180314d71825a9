import { constants } from 'node:fs';
import { type FileHandle, lstat, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Folder, inItsFolder, openFolder } from './folder.ts';
import { FILE_MODE, faultOf, openEntry } from './open-file.ts';
import { UnsafeFileError } from './unsafe-file-error.ts';

/** A file that a child made, held open: what is read through the handle is the file that was checked. */
export interface HeldResult {
  readonly file: FileHandle;
  /**
   * Moves it to a path in a folder that only the service writes, and makes it the service's alone. What came to the path
   * is held against the handle afterwards.
   *
   * @throws UnsafeFileError when something else was moved, which is deleted; EXDEV to another file system.
   */
  moveTo(destination: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a result: a regular file of the announced size, with one link.
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

/** What a child says that it made. */
export interface AnnouncedFile {
  /** Its name in the child's output folder. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Takes the one file that a child announced out of the child's output folder, and leaves all else there. To be called
 * when the child is dead: it could still write to the file otherwise.
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

/** What was moved is what is held, and nothing about it has changed since it was checked. */
async function faultOfMoved(file: FileHandle, target: string, size: number): Promise<string | undefined> {
  const [held, moved] = await Promise.all([file.stat({ bigint: true }), lstat(target, { bigint: true })]);
  if (held.dev !== moved.dev || held.ino !== moved.ino) return 'was replaced while it was taken';
  return faultOf(held, { size });
}

/** A child may run as a user of its own, who would stay the owner. */
async function makeOurs(file: FileHandle): Promise<void> {
  const { uid } = await file.stat();
  const [ownUid, ownGid] = [process.geteuid?.(), process.getegid?.()];
  if (ownUid !== undefined && ownGid !== undefined && uid !== ownUid) await file.chown(ownUid, ownGid);
  await file.chmod(FILE_MODE);
}

import { constants } from 'node:fs';
import { type FileHandle, lstat, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Folder, openFolder, withParentFolder } from './folder.ts';
import { FILE_MODE, faultOf, openEntry } from './open-file.ts';
import { UnsafeFileError } from './unsafe-file-error.ts';

/**
 * An open file that a child process created. All reads use the open handle, so they access the file that was checked.
 */
export interface OutputFile {
  readonly file: FileHandle;
  /**
   * Moves the file to a path in a folder that only the service writes, and makes the service its only user. Then
   * compares the moved file with the handle.
   *
   * @throws UnsafeFileError if another file was moved, which is then deleted; EXDEV for another file system.
   */
  moveTo(destination: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file that a child created: a regular file of the reported size, with one link.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export async function openOutputFile(path: string, size: number): Promise<OutputFile> {
  const folder = await openFolder(dirname(path));
  try {
    return await openIn(folder, basename(path), path, size);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** The output file that a child reports. */
interface ReportedFile {
  /** Its name in the child's output folder. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * Moves the one file that a child reported out of its output folder, and leaves everything else there. Call it only
 * after the child has ended, because a running child could still write to the file.
 *
 * @param destination Path in a folder of the same file system that only the service writes.
 * @throws UnsafeFileError for a link, a FIFO, a device, a socket or a folder, for a file with several links or a
 * different size, and for a name that is a path. Also an error of the file system, such as ENOENT.
 */
export async function moveOutputFile(
  outputFolder: string,
  { name, size }: ReportedFile,
  destination: string,
): Promise<void> {
  const folder = await openFolder(outputFolder);
  try {
    const output = await openIn(folder, name, join(outputFolder, name), size);
    await output.moveTo(destination).finally(() => output.file.close());
  } finally {
    await folder.close();
  }
}

async function openIn(folder: Folder, name: string, path: string, size: number): Promise<OutputFile> {
  const source = folder.at(name);
  const file = await openEntry(source, constants.O_RDONLY, path, { size });
  return {
    file,
    moveTo: (destination) =>
      withParentFolder(destination, async (target) => {
        await rename(source, target);
        const fault = await faultAfterMove(file, target, size);
        if (fault !== undefined) {
          await unlink(target);
          throw new UnsafeFileError(path, fault);
        }
        await takeOwnership(file);
      }),
    close: () => file.close().finally(() => folder.close()),
  };
}

/** Checks that the moved file is the opened one, and that it is unchanged since the first check. */
async function faultAfterMove(file: FileHandle, target: string, size: number): Promise<string | undefined> {
  const [handleStats, targetStats] = await Promise.all([file.stat({ bigint: true }), lstat(target, { bigint: true })]);
  if (handleStats.dev !== targetStats.dev || handleStats.ino !== targetStats.ino)
    return 'was replaced while it was moved';
  return faultOf(handleStats, { size });
}

/** Makes the service the only user of a file. A child may run as its own user, which would remain the owner. */
export async function takeOwnership(file: FileHandle): Promise<void> {
  const { uid } = await file.stat();
  const [ownUid, ownGid] = [process.geteuid?.(), process.getegid?.()];
  if (ownUid !== undefined && ownGid !== undefined && uid !== ownUid) await file.chown(ownUid, ownGid);
  await file.chmod(FILE_MODE);
}

import { createReadStream, existsSync } from 'node:fs';
import { copyFile, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { MillraceError } from '../../contract/errors.ts';
import { StartError } from '../../contract/start-error.ts';
import { lockFolder } from '../../files/folder-lock.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { errorMessage } from '../error-message.ts';
import { expectKnownSchema } from '../migrate.ts';
import { isVacant, placeDatabase, replaceDatabase, resolveDatabaseFolder, unpackFolderOf } from './database-folder.ts';
import { openEngineOn } from './open-engine.ts';
import { packDatabase } from './pack-database.ts';
import { snapshotPathOf, unpackSnapshot } from './snapshot.ts';

/**
 * Copies the embedded database of a stopped service as a compressed archive.
 *
 * @throws FolderInUseError if the service is running; StartError if there is no database, or it cannot be opened.
 */
export async function backUp(dataDirectory: string): Promise<Readable> {
  const folder = await resolveDatabaseFolder(dataDirectory);
  if (await isVacant(folder)) throw new StartError(`There is no embedded database in ${dataDirectory}.`);
  const lock = lockFolder(dataDirectory);
  try {
    const engine = await openEngineOn(folder);
    return await packDatabase(engine, folder).finally(() => engine.close());
  } catch (error) {
    throw error instanceof MillraceError ? new StartError(error.message, { cause: error }) : error;
  } finally {
    lock.release();
  }
}

/** The result of {@link restoreBackup}. */
interface RestoreResult {
  /** New path of the replaced database; undefined if there was no database. */
  readonly formerFolder: string | undefined;
}

/**
 * Replaces the embedded database of a data folder with a backup. Nothing changes until the backup has been opened and
 * checked. The existing database is moved aside, not deleted.
 *
 * @throws FolderInUseError if a service uses the data folder; StartError if the backup cannot be used, or the database
 * was replaced but its snapshot was not.
 */
export async function restoreBackup(dataDirectory: string, backup: string): Promise<RestoreResult> {
  const lock = lockFolder(dataDirectory);
  try {
    const folder = await resolveDatabaseFolder(dataDirectory);
    const unpackedFolder = await unpack(folder, backup);
    const suffix = `replaced-${Date.now()}`;
    const formerFolder = (await isVacant(folder)) ? undefined : `${folder}.${suffix}`;
    if (formerFolder === undefined) await placeDatabase(unpackedFolder, folder);
    else await replaceDatabase(unpackedFolder, folder, formerFolder);
    // The snapshot is replaced last, because until then it belongs to the former database.
    const snapshot = join(await realpath(dataDirectory), basename(snapshotPathOf(dataDirectory)));
    await replaceSnapshot(snapshot, backup, suffix).catch((cause: unknown) => {
      const aside = formerFolder === undefined ? '' : `; the former database is in ${formerFolder}`;
      throw new StartError(
        `The database was restored from ${backup}, but the snapshot of the former one could not be replaced: ` +
          `${errorMessage(cause)}. The service replaces it one minute after it starts${aside}.`,
        { cause },
      );
    });
    return { formerFolder };
  } finally {
    lock.release();
  }
}

/** Unpacks a backup next to the database's folder, and checks it. Returns the folder. */
async function unpack(folder: string, backup: string): Promise<string> {
  const unpackedFolder = unpackFolderOf(folder);
  try {
    await unpackSnapshot(backup, unpackedFolder);
    const engine = await openEngineOn(unpackedFolder);
    try {
      const { rows } = await engine.query<{ version: number }>('select version from schema_migrations');
      await expectKnownSchema(Math.max(0, ...rows.map(({ version }) => version)));
    } finally {
      await engine.close();
    }
    return unpackedFolder;
  } catch (cause) {
    await rm(unpackedFolder, { recursive: true, force: true });
    throw new StartError(`The backup ${backup} cannot be restored, and nothing was changed: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

async function replaceSnapshot(snapshot: string, backup: string, suffix: string): Promise<void> {
  if ((await realpath(backup)) === snapshot) return;
  // The snapshot is copied rather than renamed, so that one exists at all times.
  if (existsSync(snapshot)) await copyFile(snapshot, `${snapshot}.${suffix}`);
  await replaceFile(snapshot, createReadStream(backup));
}

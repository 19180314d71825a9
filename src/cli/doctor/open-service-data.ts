import { constants } from 'node:fs';
import { cp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Config } from '../../config.ts';
import type { Sql } from '../../database/database.ts';
import { DamagedDatabaseError } from '../../database/embedded/damage-checks.ts';
import { databaseFolderOf, isVacant, resolveDatabaseFolder } from '../../database/embedded/database-folder.ts';
import { openEngineOn } from '../../database/embedded/open-engine.ts';
import { openDatabase } from '../../database/open-database.ts';
import { inspectDataDirectory } from '../../files/data-directory.ts';
import { FolderInUseError, lockFolder } from '../../files/folder-lock.ts';
import { makeTemporaryFolder } from '../../files/temporary-folder.ts';
import { nameOfLocation, openStorage, type StorageLocation } from '../../storage/open-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { CommandError } from '../errors/command-errors.ts';
import { expectOwner } from '../service/data-owner.ts';

export const silentLog = pino({ level: 'silent' });

/** Returns the storage location of a service with these settings. */
export async function storagePlace({ STORAGE_URL, DATA_DIR }: Config): Promise<StorageLocation> {
  return STORAGE_URL ?? { folder: join((await inspectDataDirectory(DATA_DIR)).path, 'files') };
}

/** Whether a storage location exists. The check does not open it, because opening a folder would create it. */
export async function placeExists(place: StorageLocation): Promise<boolean> {
  return !('folder' in place) || (await stat(place.folder).catch(() => undefined)) !== undefined;
}

/**
 * Works on a copy of the embedded database in a folder: opening the database itself would also repair it.
 *
 * @throws FolderInUseError if a service has it open.
 */
export async function withDatabaseCopy<T>(dataDirectory: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const lock = lockFolder(dataDirectory);
  const scratch = makeTemporaryFolder('millrace-doctor-');
  try {
    await cp(await resolveDatabaseFolder(dataDirectory), databaseFolderOf(scratch.path), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
    const engine = await openEngineOn(databaseFolderOf(scratch.path));
    const sql: Sql = {
      query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
        (await engine.query<Row>(text, [...parameters])).rows,
    };
    return await work(sql).finally(() => engine.close());
  } finally {
    await scratch.remove();
    lock.release();
  }
}

/** Reads the database of a service; undefined if there is none yet, or a running service has it open. */
export async function readDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T | undefined> {
  if (config.DATABASE_URL !== undefined) return await withDatabase(config, work);
  const { path } = await inspectDataDirectory(config.DATA_DIR);
  if (await isVacant(databaseFolderOf(path))) return undefined;
  try {
    return await withDatabaseCopy(path, work);
  } catch (error) {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  }
}

/** Database and store of a service, opened for changes. */
interface ServiceData {
  readonly sql: Sql;
  readonly storage: Storage;
  /** Name of the store in messages. */
  readonly name: string;
}

/**
 * Opens the database and the store of a service to change them.
 *
 * @throws CommandError if there is no database, it is damaged, or another user owns the data; FolderInUseError if a running
 *   service has the embedded database open.
 */
export async function withServiceData<T>(config: Config, work: (data: ServiceData) => Promise<T>): Promise<T> {
  // New files are accessible only to the service's user.
  process.umask(0o077);
  const { path } = await inspectDataDirectory(config.DATA_DIR);
  const place = await storagePlace(config);
  const embedded = config.DATABASE_URL === undefined;
  if (embedded && (await isVacant(databaseFolderOf(path)))) {
    throw new CommandError(`There is no database in ${path}. Start the service once, with the same settings.`);
  }
  if (embedded) await expectOwner(databaseFolderOf(path));
  if ('folder' in place) await expectOwner(place.folder);
  return await withDatabase({ ...config, DATA_DIR: path }, async (sql) => {
    const storage = await openStorage(place);
    try {
      return await work({ sql, storage, name: nameOfLocation(place) });
    } finally {
      await storage.close();
    }
  });
}

async function withDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T> {
  // Only the start of a service restores a snapshot, because it reports the data that is lost.
  const database = await openDatabase(config, silentLog, { restore: false }).catch(explainDamage);
  return await work(database).finally(() => database.close());
}

function explainDamage(error: unknown): never {
  if (!(error instanceof DamagedDatabaseError)) throw error;
  const remedy = 'Run "millrace restore" with a backup, or start the service, which restores its last snapshot; then';
  throw new CommandError(`${error.message}, and nothing was changed. ${remedy} run this command again.`, {
    cause: error,
  });
}

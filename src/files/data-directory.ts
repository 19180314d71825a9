import type { Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, open, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { fileSystemReason, StartError } from '../contract/start-error.ts';
import { FOLDER_MODE, makeRootFolder, syncFolder } from './folder.ts';
import { FolderInUseError, type FolderLock, lockFolder } from './folder-lock.ts';
import { ifMissing } from './if-missing.ts';
import { type ExposedPath, GROUP_AND_OTHERS, restrictToOwner } from './restrict-to-owner.ts';

/** The subfolder that is used if `DATA_DIR` itself cannot be closed to others. */
export const PRIVATE_FOLDER = 'private';

/** Names that the service and its command line create in the data folder. */
const ownNames =
  /^(?:database(?:\..+)?|engine|files|work|worker|lock(?:-.+)?|test-lab|command-line-keys\.json|first-keys(?:\..+)?)$/;
/** Other names that may be in a folder that only the service uses. */
const neutralNames = /^(?:private|lost\+found)$/;
const databaseNames = /^database(?:\..+)?$/;

/** Thrown if other users of the machine could read or change the data, or the data folder cannot be used. */
class DataDirectoryError extends StartError {
  override readonly name = 'DataDirectoryError';
}

/** Where the data is, and which parts of it are open to other users. */
interface DataLocation {
  /** `DATA_DIR`, or the private folder in it. */
  readonly path: string;
  /**
   * `whole`: only the service uses `DATA_DIR`. `shared`: others use it too, and it contains data of an earlier version,
   * which stays there. `private`: others use it too, and the data is in a subfolder.
   */
  readonly kind: 'whole' | 'shared' | 'private';
  /** Names of unused data in `DATA_DIR`: the private folder is used instead. */
  readonly unusedNames: readonly string[];
  readonly open: readonly ExposedPath[];
  /** The entries of {@link open} that belong to the embedded database. */
  readonly openDatabase: readonly ExposedPath[];
}

/**
 * Creates the service's data folder and closes its contents to all other users of the machine. This runs at each start,
 * because `DATA_DIR` may already exist with other permissions, and kubelet restores the group permissions of a volume
 * at each mount. Returns the path to use instead of `DATA_DIR`.
 *
 * The data goes into a private subfolder if the service may not change the folder (a mounted volume that belongs to
 * root), or if others use it too. A folder that already contains data of an earlier version stays in use.
 *
 * Nothing changes in data that another process uses: that process has closed it, except what it shares with the users of
 * its media engine.
 *
 * @param embedded Whether the folder contains the database.
 * @throws FolderInUseError if another process has the embedded database open; DataDirectoryError if the folder cannot be
 * written, or others could still read or change the embedded database.
 */
export async function openDataDirectory(directory: string, embedded: boolean, log: Logger): Promise<string> {
  try {
    return await closeDataDirectory(directory, embedded, log);
  } catch (cause) {
    const reason = fileSystemReason(cause);
    if (reason === undefined) throw cause;
    const { path = directory } = cause as NodeJS.ErrnoException;
    throw new DataDirectoryError(
      `The service cannot write its data to ${directory}: ${reason}${path === directory ? '' : ` (${path})`}. ` +
        'Make it writable for the user that the service runs as, or set DATA_DIR to another folder.',
      { cause },
    );
  }
}

/**
 * Checks that a folder is writable by creating an entry: `access` does not detect immutable folders. A full disk is not
 * an error, because it does not prevent opening the existing data.
 */
async function checkWritable(path: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(path, 'lock-')));
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

async function closeDataDirectory(directory: string, embedded: boolean, log: Logger): Promise<string> {
  await makeRootFolder(directory);
  if (process.geteuid === undefined) {
    await checkWritable(directory);
    return directory;
  }
  const { kind } = await locate(directory);
  const path = kind === 'private' ? join(directory, PRIVATE_FOLDER) : directory;
  if (kind === 'private') await makePrivate(path);
  const lock = await lockData(path, embedded);
  try {
    if (lock !== undefined) await closeRoot(path, kind);
    const location = await survey(directory, lock !== undefined);
    if (embedded && location.openDatabase.length > 0)
      throw new DataDirectoryError(exposedDatabaseMessage(location.openDatabase));
    reportLocation(location, directory, log);
    await checkWritable(path);
    return path;
  } finally {
    lock?.release();
  }
}

/**
 * Takes the lock of the data while its permissions change. Returns undefined if a worker on a database server uses the
 * folder: nodes without a worker may share it. With the embedded database, no other process may.
 */
async function lockData(path: string, embedded: boolean): Promise<FolderLock | undefined> {
  const worker = join(path, 'worker');
  if (!embedded && (await stat(worker).catch(ifMissing)) === undefined) return { release: () => undefined };
  try {
    return embedded ? lockFolder(path) : lockFolder(worker, 0);
  } catch (error) {
    if (!embedded) return undefined;
    // The reason is usually that the folder cannot be written.
    if (!(error instanceof FolderInUseError)) await checkWritable(path);
    throw error;
  }
}

function reportLocation({ path: data, kind, unusedNames, open }: DataLocation, directory: string, log: Logger): void {
  if (kind === 'private')
    log.info({ directory, data }, 'DATA_DIR is shared with others, so the data is in a private subfolder');
  if (unusedNames.length > 0) log.warn({ directory, unused: unusedNames, data }, 'some data in DATA_DIR is not used');
  for (const { path, uid } of open)
    log.warn({ path, uid }, 'other users can access this path, and its permissions cannot be changed');
}

/** Returns where the data of a `DATA_DIR` is or will be, and which parts are open to other users. Changes nothing. */
export async function inspectDataDirectory(directory: string): Promise<DataLocation> {
  return await survey(directory, false);
}

/** Returns a message for the operator about a database that others can read. */
export function exposedDatabaseMessage([first]: readonly ExposedPath[]): string {
  return (
    `Other users can read or change the database: ${first?.path} belongs to user ${first?.uid} and has permissions ` +
    `${first?.mode.toString(8)}. Give it to the user that runs the service (chown -R), or move it to a file system ` +
    'that stores permissions; then start again.'
  );
}

async function survey(directory: string, change: boolean): Promise<DataLocation> {
  const noFindings = { unusedNames: [], open: [], openDatabase: [] };
  if (process.geteuid === undefined) return { path: directory, kind: 'whole', ...noFindings };
  const { kind, unusedNames } = await locate(directory);
  const path = kind === 'private' ? join(directory, PRIVATE_FOLDER) : directory;
  const [pathStats, directoryStats] = await Promise.all([
    stat(path).catch(ifMissing),
    stat(directory).catch(ifMissing),
  ]);
  if (pathStats === undefined || directoryStats === undefined) return { path, kind, ...noFindings, unusedNames };
  const owners = new Set([process.geteuid(), 0, directoryStats.uid]);
  const isPrivate = (pathStats.mode & GROUP_AND_OTHERS) === 0 && owners.has(pathStats.uid);
  const exposed = [];
  // New files in an open folder would be open too. In a shared folder, each part is closed separately.
  if (!isPrivate && kind !== 'shared')
    exposed.push({ path, uid: pathStats.uid, mode: pathStats.mode & 0o7777, database: true });
  for (const name of (await readdir(path)).filter((each) => ownNames.test(each))) {
    // The part may be a link to another path. The contents of the store are not closed here, but when the store opens.
    const resolvedPath = await resolveOwnLink(join(path, name), owners);
    const options = {
      owners,
      parentIsPrivate: isPrivate && resolvedPath === join(path, name),
      change,
      deep: name !== 'files',
    };
    const open = restrictToOwner(resolvedPath, options);
    exposed.push(...open.map((each) => ({ ...each, database: databaseNames.test(name) })));
  }
  return { path, kind, unusedNames, open: exposed, openDatabase: exposed.filter(({ database }) => database) };
}

/** Follows a link: the operator may have moved a part of the data elsewhere and left a link. */
async function resolveOwnLink(path: string, owners: ReadonlySet<number>): Promise<string> {
  const stats = await lstat(path).catch(ifMissing);
  const isOwnLink = stats?.isSymbolicLink() === true && owners.has(stats.uid);
  return isOwnLink ? await realpath(path) : path;
}

async function locate(directory: string): Promise<Pick<DataLocation, 'kind' | 'unusedNames'>> {
  const stats = await stat(directory).catch(ifMissing);
  if (stats === undefined) return { kind: 'whole', unusedNames: [] };
  const owners = new Set([process.geteuid?.(), 0]);
  const data = await dataIn(directory, owners);
  if ((await dataIn(join(directory, PRIVATE_FOLDER), owners)).length > 0) return { kind: 'private', unusedNames: data };
  if (mayChange(stats)) {
    const names = await readdir(directory);
    const alone = names.every((name) => ownNames.test(name) || neutralNames.test(name));
    if (alone || (stats.mode & GROUP_AND_OTHERS) === 0) return { kind: 'whole', unusedNames: [] };
  }
  return { kind: data.length > 0 ? 'shared' : 'private', unusedNames: [] };
}

/** Returns the names of the service's data in a folder. Files of other owners do not count. */
async function dataIn(path: string, owners: ReadonlySet<number | undefined>): Promise<string[]> {
  const folder = await lstat(path).catch(ifMissing);
  if (folder === undefined) return [];
  const names = (await readdir(path).catch(() => [])).filter((name) => ownNames.test(name));
  const files = await Promise.all(names.map((name) => lstat(join(path, name)).catch(ifMissing)));
  return names.filter((_, index) => owners.has(files[index]?.uid));
}

function mayChange({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own === 0 || own === uid;
}

/** Closes the folder of the data to other users. In a `shared` folder, they only lose the right to replace entries. */
async function closeRoot(directory: string, kind: DataLocation['kind']): Promise<void> {
  if (kind === 'private') {
    // Others may replace entries of its parent, so links are not followed.
    restrictToOwner(directory, { owners: new Set(), parentIsPrivate: false, change: true, deep: false });
    return;
  }
  // The path comes from the operator, so links in it are followed.
  const handle = await open(directory, 'r');
  try {
    const stats = await handle.stat();
    const sticky = (stats.mode & 0o1000) !== 0;
    if (!mayChange(stats) || (kind === 'shared' && sticky)) return;
    const mode = kind === 'whole' ? stats.mode & ~GROUP_AND_OTHERS : stats.mode & ~0o022;
    if (mode !== stats.mode) await handle.chmod(mode & 0o7777);
  } finally {
    await handle.close();
  }
}

/** Creates the private folder, unless it exists. */
async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { mode: FOLDER_MODE }).catch(ignoreExisting);
  await syncFolder(await realpath(dirname(path)));
  const stats = await lstat(path);
  if (!stats.isDirectory() || !mayChange(stats)) {
    const what = stats.isDirectory() ? `belongs to user ${stats.uid}` : 'is not a folder';
    throw new DataDirectoryError(
      `The service keeps its data in ${path}, which ${what}. Remove it, or set DATA_DIR to another folder.`,
    );
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

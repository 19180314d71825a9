import type { Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, open, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { fileSystemReason, StartError } from '../contract/start-error.ts';
import { closeToOthers, type OpenToOthers, OTHERS } from './close-to-others.ts';
import { FOLDER_MODE, makeRoot, syncFolder } from './folder.ts';
import { ifMissing } from './if-missing.ts';

/** The subfolder that is used if `DATA_DIR` itself cannot be closed to others. */
export const PRIVATE = 'private';

/** Names that the service and its command line create in the data folder. */
const ours = /^(?:database(?:\..+)?|engine|files|work|worker|lock(?:-.+)?|command-line-keys\.json)$/;
/** Other names that do not make the folder a shared one. */
const nobodys = /^(?:private|lost\+found)$/;
const ofTheDatabase = /^database(?:\..+)?$/;

/** Thrown if other users of the machine could read or change the data, or the data folder cannot be used. */
class DataDirectoryError extends StartError {
  override readonly name = 'DataDirectoryError';
}

/** Where the data is, and which parts of it are open to other users. */
interface DataPlace {
  /** `DATA_DIR`, or the private folder in it. */
  readonly path: string;
  /**
   * `whole`: only the service uses `DATA_DIR`. `shared`: others use it too, and it has data of an earlier version, which
   * stays in place. `private`: others use it too, and the data is in a subfolder.
   */
  readonly kind: 'whole' | 'shared' | 'private';
  /** Names of data in `DATA_DIR` that is not used because the private folder is. */
  readonly unused: readonly string[];
  readonly open: readonly OpenToOthers[];
  /** The entries of {@link open} that belong to the embedded database. */
  readonly openDatabase: readonly OpenToOthers[];
}

/**
 * Creates the service's data folder and closes its contents to all other users of the machine. This runs at each start,
 * because `DATA_DIR` may already exist with other permissions, and kubelet restores the group permissions of a volume at
 * each mount. Returns the path to use in place of `DATA_DIR`.
 *
 * If the service may not change the folder (a mounted volume that belongs to root), or others use it too, the data goes
 * into a private subfolder, unless the folder already contains data of an earlier version.
 *
 * @param embedded Whether the folder contains the database.
 * @throws DataDirectoryError if the folder cannot be written, or others could still read or change the embedded database.
 */
export async function openDataDirectory(directory: string, embedded: boolean, log: Logger): Promise<string> {
  try {
    const path = await closeDataDirectory(directory, embedded, log);
    await tryToWrite(path);
    return path;
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

/** Not by `access`, which does not notice immutable folders. A full disk is no reason not to open what is there. */
async function tryToWrite(path: string): Promise<void> {
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
  await makeRoot(directory);
  if (process.geteuid === undefined) return directory;
  const { kind } = await locate(directory);
  if (kind === 'private') await makePrivate(join(directory, PRIVATE));
  else await closeRoot(directory, kind);
  const place = await survey(directory, true);
  if (embedded && place.openDatabase.length > 0) throw new DataDirectoryError(howToClose(place.openDatabase));
  if (kind === 'private') {
    log.info({ directory, data: place.path }, 'DATA_DIR is shared with others, so the data is in a private subfolder');
  }
  if (place.unused.length > 0)
    log.warn({ directory, unused: place.unused, data: place.path }, 'some data in DATA_DIR is not used');
  for (const { path, uid } of place.open)
    log.warn({ path, uid }, 'other users can access this path, and its permissions cannot be changed');
  return place.path;
}

/** Returns where the data of a `DATA_DIR` is or will be, and which parts are open to other users. Changes nothing. */
export async function inspectDataDirectory(directory: string): Promise<DataPlace> {
  return await survey(directory, false);
}

/** A message for the operator about a database that others can read. */
export function howToClose([first]: readonly OpenToOthers[]): string {
  return (
    `Other users can read or change the database: ${first?.path} belongs to user ${first?.uid} and has permissions ` +
    `${first?.mode.toString(8)}. Give it to the user that the service runs as (chown -R), or move it to a file system ` +
    'that stores permissions. Then start again.'
  );
}

async function survey(directory: string, change: boolean): Promise<DataPlace> {
  const nothing = { unused: [], open: [], openDatabase: [] };
  if (process.geteuid === undefined) return { path: directory, kind: 'whole', ...nothing };
  const { kind, unused } = await locate(directory);
  const path = kind === 'private' ? join(directory, PRIVATE) : directory;
  const [root, top] = await Promise.all([stat(path).catch(ifMissing), stat(directory).catch(ifMissing)]);
  if (root === undefined || top === undefined) return { path, kind, ...nothing, unused };
  const owners = new Set([process.geteuid(), 0, top.uid]);
  const sheltered = (root.mode & OTHERS) === 0 && owners.has(root.uid);
  const exposed = [];
  // New files in it would be open too. In a shared folder, each part is closed separately.
  if (!sheltered && kind !== 'shared') exposed.push({ path, uid: root.uid, mode: root.mode & 0o7777, database: true });
  for (const name of (await readdir(path)).filter((each) => ours.test(each))) {
    // The store closes its own contents when it opens; it may also be elsewhere.
    const at = await target(join(path, name), owners);
    const closing = { owners, sheltered: sheltered && at === join(path, name), change, deep: name !== 'files' };
    const open = closeToOthers(at, closing);
    exposed.push(...open.map((each) => ({ ...each, database: ofTheDatabase.test(name) })));
  }
  return { path, kind, unused, open: exposed, openDatabase: exposed.filter(({ database }) => database) };
}

/** Follows a link: the operator may have moved a part of the data elsewhere and left a link. */
async function target(path: string, owners: ReadonlySet<number>): Promise<string> {
  const stats = await lstat(path).catch(ifMissing);
  const followed = stats?.isSymbolicLink() === true && owners.has(stats.uid);
  return followed ? await realpath(path) : path;
}

async function locate(directory: string): Promise<Pick<DataPlace, 'kind' | 'unused'>> {
  const stats = await stat(directory).catch(ifMissing);
  if (stats === undefined) return { kind: 'whole', unused: [] };
  const owners = new Set([process.geteuid?.(), 0]);
  const data = await dataIn(directory, owners);
  if ((await dataIn(join(directory, PRIVATE), owners)).length > 0) return { kind: 'private', unused: data };
  if (mayChange(stats)) {
    const names = await readdir(directory);
    const alone = names.every((name) => ours.test(name) || nobodys.test(name));
    if (alone || (stats.mode & OTHERS) === 0) return { kind: 'whole', unused: [] };
  }
  return { kind: data.length > 0 ? 'shared' : 'private', unused: [] };
}

/** The names of the service's data in a folder. Files of other owners do not count. */
async function dataIn(path: string, owners: ReadonlySet<number | undefined>): Promise<string[]> {
  const folder = await lstat(path).catch(ifMissing);
  if (folder === undefined) return [];
  const names = (await readdir(path).catch(() => [])).filter((name) => ours.test(name));
  const files = await Promise.all(names.map((name) => lstat(join(path, name)).catch(ifMissing)));
  return names.filter((_, index) => owners.has(files[index]?.uid));
}

function mayChange({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own === 0 || own === uid;
}

/** Closes a whole folder. In a shared one, others only lose the right to replace entries. */
async function closeRoot(directory: string, kind: 'whole' | 'shared'): Promise<void> {
  // The path comes from the operator, so links in it are followed.
  const handle = await open(directory, 'r');
  try {
    const stats = await handle.stat();
    const sticky = (stats.mode & 0o1000) !== 0;
    if (!mayChange(stats) || (kind === 'shared' && sticky)) return;
    const mode = kind === 'whole' ? stats.mode & ~OTHERS : stats.mode & ~0o022;
    if (mode !== stats.mode) await handle.chmod(mode & 0o7777);
  } finally {
    await handle.close();
  }
}

async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { mode: FOLDER_MODE }).catch(ifThere);
  await syncFolder(await realpath(dirname(path)));
  const stats = await lstat(path);
  if (!stats.isDirectory() || !mayChange(stats)) {
    const what = stats.isDirectory() ? `belongs to user ${stats.uid}` : 'is not a folder';
    throw new DataDirectoryError(
      `The service keeps its data in ${path}, which ${what}. Remove it, or set DATA_DIR to another folder.`,
    );
  }
  closeToOthers(path, { owners: new Set([stats.uid]), sheltered: false, change: true, deep: false });
}

function ifThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

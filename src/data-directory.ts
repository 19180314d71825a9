import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { closeToOthers, type OpenToOthers, OTHERS } from './files/close-to-others.ts';
import { FOLDER_MODE } from './files/folder.ts';
import { ifMissing } from './if-missing.ts';

/** The folder in `DATA_DIR` that is used where `DATA_DIR` itself cannot be closed to others. */
const PRIVATE = 'private';

/** What the service and its command line put into the folder of their data. */
const ours = /^(?:database(?:\..+)?|engine|files|work|worker|lock(?:-.+)?|command-line-keys\.json)$/;
/** What may lie beside it without being anybody's. */
const nobodys = /^(?:private|lost\+found)$/;
const ofTheDatabase = /^database(?:\..+)?$/;

/** Other users of the machine could read or change the database. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** Where the data is, and what about it is open to other users. */
export interface DataPlace {
  /** `DATA_DIR`, or the private folder in it. */
  readonly path: string;
  /**
   * `whole`: `DATA_DIR` is the service's alone. `shared`: it is not, and data of an earlier version lies in it, which
   * stays there. `private`: it is not, and the data lies in a folder of its own.
   */
  readonly kind: 'whole' | 'shared' | 'private';
  /** Data that lies in `DATA_DIR` while the private folder is used, by its names. */
  readonly unused: readonly string[];
  readonly open: readonly OpenToOthers[];
  /** Those of {@link open} that belong to the embedded database. */
  readonly openDatabase: readonly OpenToOthers[];
}

/**
 * Makes the folder of the service's data, and closes what is in it to all other users of the machine, at each start:
 * `DATA_DIR` may have been there, with permissions of its own, and kubelet gives a volume back to its group whenever it
 * is mounted. Returns the path to use in place of `DATA_DIR`.
 *
 * A folder that is not the service's to change (a mounted volume that belongs to root), or that others use as well, stays
 * as it is: the data goes into a private folder in it, unless it lies there already.
 *
 * @param embedded Whether the database is in there.
 * @throws DataDirectoryError when others could still read or change the embedded database.
 */
export async function openDataDirectory(directory: string, embedded: boolean, log: Logger): Promise<string> {
  await mkdir(directory, { recursive: true, mode: FOLDER_MODE });
  if (process.geteuid === undefined) return directory;
  const { kind } = await locate(directory);
  if (kind === 'private') await makePrivate(join(directory, PRIVATE));
  else await closeRoot(directory, kind);
  const place = await survey(directory, true);
  if (embedded && place.openDatabase.length > 0) throw new DataDirectoryError(howToClose(place.openDatabase));
  if (kind === 'private') {
    log.info({ directory, data: place.path }, 'DATA_DIR is not ours alone: data is kept in a private folder in it');
  }
  if (place.unused.length > 0) log.warn({ directory, unused: place.unused, data: place.path }, 'data is not used');
  for (const { path, uid } of place.open) log.warn({ path, uid }, 'other users can read this, and it cannot be closed');
  return place.path;
}

/** Says where the data of a `DATA_DIR` is, or will be, and what of it is open to other users. Changes nothing. */
export async function inspectDataDirectory(directory: string): Promise<DataPlace> {
  return await survey(directory, false);
}

/** What to do about a database that others can read, in words for the operator. */
export function howToClose([first]: readonly OpenToOthers[]): string {
  return (
    `Other users can read or change the database: ${first?.path} belongs to user ${first?.uid} and has the permissions ` +
    `${first?.mode.toString(8)}. Give it to the user that the service runs as (chown -R), or put it on a file system ` +
    'that keeps permissions, and start again.'
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
  const found = [];
  // What is still to be made there would be open as well. In a shared folder each part is closed by itself.
  if (!sheltered && kind !== 'shared') found.push({ path, uid: root.uid, mode: root.mode & 0o7777, database: true });
  for (const name of (await readdir(path)).filter((each) => ours.test(each))) {
    // The store closes what is in it when it is opened; it may also be elsewhere.
    const at = await target(join(path, name), owners);
    const closing = { owners, sheltered: sheltered && at === join(path, name), change, deep: name !== 'files' };
    const open = closeToOthers(at, closing);
    found.push(...open.map((each) => ({ ...each, database: ofTheDatabase.test(name) })));
  }
  return { path, kind, unused, open: found, openDatabase: found.filter(({ database }) => database) };
}

/** The operator may have put a part of the data elsewhere, and a link in its place. */
async function target(path: string, owners: ReadonlySet<number>): Promise<string> {
  const found = await lstat(path).catch(ifMissing);
  const followed = found?.isSymbolicLink() === true && owners.has(found.uid);
  return followed ? await realpath(path) : path;
}

async function locate(directory: string): Promise<Pick<DataPlace, 'kind' | 'unused'>> {
  const found = await stat(directory).catch(ifMissing);
  if (found === undefined) return { kind: 'whole', unused: [] };
  const owners = new Set([process.geteuid?.(), 0]);
  const data = await dataIn(directory, owners);
  if ((await dataIn(join(directory, PRIVATE), owners)).length > 0) return { kind: 'private', unused: data };
  if (mayChange(found)) {
    const names = await readdir(directory);
    const alone = names.every((name) => ours.test(name) || nobodys.test(name));
    if (alone || (found.mode & OTHERS) === 0) return { kind: 'whole', unused: [] };
  }
  return { kind: data.length > 0 ? 'shared' : 'private', unused: [] };
}

/** The names of what an earlier start has left in a folder; what belongs to somebody else is not ours. */
async function dataIn(path: string, owners: ReadonlySet<number | undefined>): Promise<string[]> {
  const folder = await lstat(path).catch(ifMissing);
  if (folder === undefined) return [];
  const names = (await readdir(path).catch(() => [])).filter((name) => ours.test(name));
  const found = await Promise.all(names.map((name) => lstat(join(path, name)).catch(ifMissing)));
  return names.filter((_, index) => owners.has(found[index]?.uid));
}

function mayChange({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own === 0 || own === uid;
}

/** A whole folder is closed. Of a shared one only the right to exchange what is in it is taken away. */
async function closeRoot(directory: string, kind: 'whole' | 'shared'): Promise<void> {
  // The operator's own path, links and all.
  const handle = await open(directory, 'r');
  try {
    const found = await handle.stat();
    const sticky = (found.mode & 0o1000) !== 0;
    if (!mayChange(found) || (kind === 'shared' && sticky)) return;
    const wanted = kind === 'whole' ? found.mode & ~OTHERS : found.mode & ~0o022;
    if (wanted !== found.mode) await handle.chmod(wanted & 0o7777);
  } finally {
    await handle.close();
  }
}

async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { mode: FOLDER_MODE }).catch(ifThere);
  const found = await lstat(path);
  if (!found.isDirectory() || !mayChange(found)) {
    const what = found.isDirectory() ? `belongs to user ${found.uid}` : 'is not a folder';
    throw new DataDirectoryError(
      `The service keeps its data in ${path}, which ${what}. Remove it, or set DATA_DIR to another folder.`,
    );
  }
  closeToOthers(path, { owners: new Set([found.uid]), sheltered: false, change: true, deep: false });
}

function ifThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

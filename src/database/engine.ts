import { readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { syncFolder } from '../files/folder.ts';
import { ifMissing } from '../if-missing.ts';
import { cutOffTable, DamagedDatabaseError, lackOf } from './damage.ts';
import { DurableFiles } from './durable-files.ts';
import { DatabaseOpenError, damaged, type LastWords, openingFailure } from './opening-failure.ts';
import { snapshotOf, unpackSnapshot } from './snapshot.ts';
import { unpackTemplate } from './template.ts';
import { isSystemError } from './watched-folder.ts';
import { wordsOf } from './words-of.ts';

/** Halves what the engine takes at its defaults; the working set of one machine's jobs is small. */
const smallBuffers = ['shared_buffers=8MB', 'wal_buffers=256kB', 'max_wal_size=64MB', 'min_wal_size=32MB'];

/** Begins each line that the engine writes with its SQLSTATE. */
const statesInLog = "log_line_prefix='%e '";

/** pglite's parameters turn fsync off (`-F`). Of the ways to flush the log, its system calls implement only `fsync`. */
const durable = [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];

/** Where the embedded database of a data directory lies. */
export function databaseFolderOf(dataDirectory: string): string {
  return join(dataDirectory, 'database');
}

/** Whether a folder holds no database at all: it is not there, or empty. */
export async function isVacant(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(ifMissing);
  return names === undefined || names.length === 0;
}

/**
 * Opens the engine on the database of a data directory. If there is none, it is made from the template; if it is gone or
 * damaged, its last snapshot is restored. A database is moved to its place only when it is whole and on disk, so an
 * incomplete one there was damaged.
 *
 * @throws DamagedDatabaseError if it was read and found damaged, and there is no snapshot that is whole;
 *   DatabaseOpenError for every other reason, which changes nothing.
 */
export async function openEngine(dataDirectory: string, log: Logger): Promise<PGlite> {
  const folder = databaseFolderOf(dataDirectory);
  try {
    if (await isVacant(folder)) return await openVacant(dataDirectory, folder, log);
    return await openFolder(folder).catch((error: unknown) => {
      if (error instanceof DamagedDatabaseError) return restoreInItsPlace(error, dataDirectory, folder, log);
      throw error;
    });
  } catch (error) {
    throw openingFailure(folder, error);
  }
}

/**
 * Opens the engine on a folder as it is: it makes nothing there, and restores nothing.
 *
 * @throws DamagedDatabaseError if it was read and found damaged; DatabaseOpenError for every other reason.
 */
export async function openFolder(folder: string): Promise<PGlite> {
  const lack = await lackOf(folder).catch((error: unknown) => {
    throw openingFailure(folder, error);
  });
  if (lack !== undefined) throw damaged(folder, lack);
  const files = new DurableFiles(folder);
  const engine = await start(folder, files);
  try {
    const table = await cutOffTable(engine);
    if (table !== undefined) throw damaged(folder, table);
    return engine;
  } catch (error) {
    await engine.close().catch(() => putAway(engine));
    throw openingFailure(folder, error, files);
  }
}

async function openVacant(dataDirectory: string, folder: string, log: Logger): Promise<PGlite> {
  const snapshot = await findSnapshot(dataDirectory);
  if (snapshot !== undefined) {
    log.warn(snapshot, `the database folder is gone; its last snapshot is restored. ${lossOf(snapshot)}`);
    return await openNew(folder, await restore(folder, snapshot.snapshot));
  }
  const place = partialOf(folder);
  await unpackTemplate(place);
  return await openNew(folder, place);
}

/** Moves a damaged database aside, and opens its last snapshot in its place. */
async function restoreInItsPlace(damage: DamagedDatabaseError, dataDirectory: string, folder: string, log: Logger) {
  const snapshot = await findSnapshot(dataDirectory);
  if (snapshot === undefined) throw withoutSnapshot(damage, dataDirectory);
  const restored = await restore(folder, snapshot.snapshot);
  const aside = `${folder}.broken-${Date.now()}`;
  const what = `the database is damaged and moved aside; its last snapshot is restored. ${lossOf(snapshot)}`;
  log.error({ err: damage, ...snapshot, aside }, what);
  await rename(folder, aside);
  return await openNew(folder, restored);
}

interface Snapshot {
  /** Its path. */
  readonly snapshot: string;
  readonly written: Date;
}

async function findSnapshot(dataDirectory: string): Promise<Snapshot | undefined> {
  const snapshot = snapshotOf(dataDirectory);
  const found = await stat(snapshot).catch(ifMissing);
  return found === undefined ? undefined : { snapshot, written: found.mtime };
}

function lossOf({ written }: Snapshot): string {
  return `Everything since ${written.toISOString()} is lost: jobs, new keys and used credits.`;
}

async function openNew(folder: string, made: string): Promise<PGlite> {
  await rename(made, folder);
  // The data directory may be a link that the operator made.
  await syncFolder(await realpath(dirname(folder)));
  return await openFolder(folder);
}

/** Where a database is made before it gets its place. */
export function partialOf(folder: string): string {
  return `${folder}.partial`;
}

/** Unpacks a snapshot beside the database's place, and opens it once to see whether it is whole; returns where. */
async function restore(folder: string, snapshot: string): Promise<string> {
  const place = partialOf(folder);
  try {
    await unpackSnapshot(snapshot, place);
    const engine = await openFolder(place);
    await engine.close();
    return place;
  } catch (cause) {
    await rm(place, { recursive: true, force: true });
    if (isSystemError(cause) || cause instanceof DatabaseOpenError) throw cause;
    throw new DamagedDatabaseError(
      `The snapshot ${snapshot} cannot be restored: ${wordsOf(cause)}. Put a backup of it in its place and start again.`,
      { cause },
    );
  }
}

async function start(folder: string, files: DurableFiles): Promise<PGlite> {
  let words: LastWords | undefined;
  const engine = new PGlite({
    fs: files,
    startParams: durable,
    postgresqlconf: [...smallBuffers, statesInLog],
    onStderr: (line) => {
      words = heard(line, words);
      return false;
    },
  });
  try {
    await engine.waitReady;
    return engine;
  } catch (error) {
    putAway(engine);
    // Its error says only that there was one.
    throw openingFailure(folder, error, { words, refusal: files.refusal });
  }
}

/** The engine's last words, after one more line of its log. */
function heard(line: string, before: LastWords | undefined): LastWords | undefined {
  const [, state = '', kind, message = ''] = /^(\w{5}) (FATAL|PANIC|DETAIL): {1,2}(.+)/.exec(line) ?? [];
  if (kind === undefined) return before;
  if (kind !== 'DETAIL') return { state, message };
  return before?.state === state ? { ...before, detail: message } : before;
}

/** Ends an engine that did not come up. It cannot be closed, and would wake up every ten seconds for ever. */
function putAway(engine: PGlite): void {
  try {
    engine.Module._emscripten_force_exit(1);
  } catch {
    // Ending throws; what the caller is told is why it did not come up.
  }
}

function withoutSnapshot({ message, cause }: DamagedDatabaseError, dataDirectory: string): DamagedDatabaseError {
  return new DamagedDatabaseError(
    `${message}, and there is no snapshot of it. ` +
      `Put a backup at ${snapshotOf(dataDirectory)} and start again; to begin with an empty one, move the folder away.`,
    { cause },
  );
}

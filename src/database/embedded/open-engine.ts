import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { syncTree } from '../../files/sync-tree.ts';
import { errorMessage } from '../error-message.ts';
import { readControlFile } from './control-file.ts';
import { DamagedDatabaseError, findMissingFile, findTruncatedTable } from './damage-checks.ts';
import {
  completeReplacement,
  databaseFolderOf,
  isVacant,
  placeDatabase,
  replaceDatabase,
  replacementFolderOf,
  resolveDatabaseFolder,
  unpackFolderOf,
} from './database-folder.ts';
import { DurableFiles } from './durable-files.ts';
import { type EndProcess, endProcess } from './end-process.ts';
import { isSystemError } from './engine-file-system.ts';
import { isUnchanged } from './fingerprint.ts';
import {
  DatabaseOpenError,
  damagedDatabaseError,
  type EngineError,
  engineFailureMessage,
  toOpenError,
} from './open-errors.ts';
import { findSnapshot, type Snapshot, unpackSnapshot } from './snapshot.ts';
import { unpackTemplate } from './unpack-template.ts';
import { delayWasmOptimization } from './wasm-tiering.ts';

/** Halves the engine's default memory; the working set of one machine's jobs is small. */
const smallBuffers = ['shared_buffers=8MB', 'wal_buffers=256kB', 'max_wal_size=64MB', 'min_wal_size=32MB'];

/** Makes the engine begin each line of its log with the SQLSTATE. */
const logLinePrefix = "log_line_prefix='%e '";

/**
 * Start parameters of the engine. pglite's own parameters turn fsync off (`-F`), and `fsync` is the only method to
 * flush the log that its system calls implement.
 */
const startParameters = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

/** Options for opening the engine. */
export interface EngineOptions {
  /** Ends the process when the database cannot continue because the disk is full or fails. */
  readonly end?: EndProcess;
  /** Whether the last snapshot replaces a damaged database; default true. */
  readonly restore?: boolean;
}

/**
 * Opens the engine on the database of a data folder. If there is no database, it is created from the template. If it is
 * damaged, its last snapshot is restored, unless `restore` is false. If a database is missing but has a snapshot, it
 * may be on a missing mount, so the snapshot is not restored. A database is moved into place only when it is complete
 * and on disk, so an incomplete database in that place must have been damaged.
 *
 * @throws DamagedDatabaseError if it was read and found damaged, and it is not restored or there is no complete
 * snapshot; DatabaseOpenError for every other reason, after which everything is unchanged.
 */
export async function openEngine(
  dataDirectory: string,
  log: Logger,
  { end, restore: mayRestore = true }: EngineOptions = {},
): Promise<PGlite> {
  const unresolvedFolder = databaseFolderOf(dataDirectory);
  try {
    const folder = await resolveDatabaseFolder(dataDirectory);
    if (await isVacant(folder)) return await openVacant(dataDirectory, folder, log, end);
    // These folders are left by a restore that was interrupted before it changed anything. A later start must not
    // mistake them for the remains of another restore.
    for (const leftover of [unpackFolderOf(folder), replacementFolderOf(folder)])
      await rm(leftover, { recursive: true, force: true });
    const unchanged = await isUnchanged(folder);
    // Version 0.1.0 and tools that copy folders do not sync files.
    if (!unchanged) await syncTree(folder);
    return await openEngineOn(folder, end, unchanged).catch((error: unknown) => {
      if (error instanceof DamagedDatabaseError && mayRestore) {
        return restoreInPlace(error, dataDirectory, folder, log, end);
      }
      throw error;
    });
  } catch (error) {
    throw toOpenError(unresolvedFolder, error);
  }
}

/**
 * Opens the engine on an existing folder, without creating or restoring anything. After that, an engine that cannot
 * continue ends the process.
 *
 * @param unchanged Whether the files are unchanged since a clean shutdown, so that none can be truncated.
 * @throws DamagedDatabaseError if it was read and found damaged; DatabaseOpenError for every other reason.
 */
export async function openEngineOn(folder: string, end: EndProcess = endProcess, unchanged = false): Promise<PGlite> {
  const { control, missing } = await examine(folder).catch((error: unknown) => {
    throw toOpenError(folder, error);
  });
  if (missing !== undefined) throw damagedDatabaseError(folder, missing);
  const files = new DurableFiles(folder);
  let isOpen = false;
  const engine = await start(folder, files, (engineError) => {
    if (isOpen) end(engineFailureMessage(folder, engineError, files.systemError));
  });
  try {
    const table = unchanged ? undefined : await findTruncatedTable(engine, control?.cleanShutdown ?? false);
    if (table !== undefined) throw damagedDatabaseError(folder, table);
    isOpen = true;
    files.clearErrorOnCalls(engine);
    files.onFailure = (error) => end(engineFailureMessage(folder, undefined, error));
    return engine;
  } catch (error) {
    await engine.close().catch(() => forceExit(engine));
    throw toOpenError(folder, error, files);
  }
}

async function examine(folder: string) {
  const control = await readControlFile(folder);
  return { control, missing: await findMissingFile(folder, control) };
}

async function openVacant(dataDirectory: string, folder: string, log: Logger, end?: EndProcess): Promise<PGlite> {
  if (existsSync(replacementFolderOf(folder))) {
    log.warn({ folder }, 'the replacement of the database was interrupted and is now completed');
    await completeReplacement(folder);
    return await openEngineOn(folder, end);
  }
  const snapshot = await findSnapshot(dataDirectory);
  if (snapshot !== undefined) throw missingDatabaseError(folder, snapshot);
  await unpackTemplate(unpackFolderOf(folder));
  await placeDatabase(unpackFolderOf(folder), folder);
  return await openEngineOn(folder, end);
}

/** Moves a damaged database aside, and opens its last snapshot in its place. */
async function restoreInPlace(
  damage: DamagedDatabaseError,
  dataDirectory: string,
  folder: string,
  log: Logger,
  end?: EndProcess,
): Promise<PGlite> {
  const snapshot = await findSnapshot(dataDirectory);
  if (snapshot === undefined || snapshot.outdated) throw unrestorableError(damage, snapshot);
  const restoredFolder = await restore(folder, snapshot.snapshot);
  const aside = `${folder}.broken-${Date.now()}`;
  const what = `the database is damaged and was moved aside; its last snapshot is restored. ${lossMessage(snapshot)}`;
  log.error({ err: damage, ...snapshot, aside }, what);
  await replaceDatabase(restoredFolder, folder, aside);
  return await openEngineOn(folder, end);
}

function lossMessage({ written }: Snapshot): string {
  return `Everything since ${written.toISOString()} is lost: jobs, new keys and used credits.`;
}

/** Unpacks a snapshot and opens it once to check it. Returns its folder. */
async function restore(folder: string, snapshot: string): Promise<string> {
  const unpackedFolder = unpackFolderOf(folder);
  try {
    await unpackSnapshot(snapshot, unpackedFolder);
    const engine = await openEngineOn(unpackedFolder);
    await engine.close();
    return unpackedFolder;
  } catch (cause) {
    await rm(unpackedFolder, { recursive: true, force: true });
    if (isSystemError(cause) || cause instanceof DatabaseOpenError) throw cause;
    throw new DamagedDatabaseError(
      `The snapshot ${snapshot} cannot be restored: ${errorMessage(cause)}. Replace it with a backup and start again.`,
      { cause },
    );
  }
}

/**
 * @param onFatalError Called with the error after which the engine cannot continue. It may end the process instead of
 * returning.
 */
async function start(
  folder: string,
  files: DurableFiles,
  onFatalError: (engineError: EngineError) => void,
): Promise<PGlite> {
  let engineError: EngineError | undefined;
  delayWasmOptimization();
  const engine = new PGlite({
    fs: files,
    startParams: startParameters,
    postgresqlconf: [...smallBuffers, logLinePrefix],
    onStderr: (line) => {
      engineError = parseLogLine(line, engineError);
      if (engineError !== undefined && fatalLine.test(line)) onFatalError(engineError);
      return false;
    },
  });
  try {
    await engine.waitReady;
    return engine;
  } catch (error) {
    forceExit(engine);
    // The engine's own error has no details.
    throw toOpenError(folder, error, { engineError, systemError: files.systemError });
  }
}

/**
 * Matches log lines after which the engine cannot continue. A server's process would exit; this engine calls abort()
 * and then its error handler, forever (pglite 0.5.16, seen with a full disk). After an error within a log record every
 * further one fails.
 */
const fatalLine = /^\w{5} PANIC:|^XX000 ERROR: {2}XLogBeginInsert was already called/;

/** Returns the last error of the engine, updated with one more line of its log. */
function parseLogLine(line: string, before: EngineError | undefined): EngineError | undefined {
  const [, state = '', kind, message = ''] = /^(\w{5}) (ERROR|FATAL|PANIC|DETAIL): {1,2}(.+)/.exec(line) ?? [];
  if (kind === undefined) return before;
  if (kind !== 'DETAIL') return { state, message };
  return before?.state === state ? { ...before, detail: message } : before;
}

/** Ends an engine that failed to start. It cannot be closed, and would wake up every ten seconds forever. */
function forceExit(engine: PGlite): void {
  try {
    engine.Module._emscripten_force_exit(1);
  } catch {
    // Exiting throws. The caller reports why the engine did not start.
  }
}

function missingDatabaseError(folder: string, { snapshot, written }: Snapshot): DatabaseOpenError {
  return new DatabaseOpenError(
    `There is no database in ${folder}, but there is a snapshot of it from ${written.toISOString()}. ` +
      'If the folder belongs to a mount, mount it and start again; ' +
      `if the database is lost, restore a backup, or this snapshot: millrace restore ${snapshot}`,
  );
}

function unrestorableError(
  { message, cause }: DamagedDatabaseError,
  outdatedSnapshot: Snapshot | undefined,
): DamagedDatabaseError {
  const [missing, remedy] =
    outdatedSnapshot === undefined
      ? ['it has no snapshot', 'Restore a backup (millrace restore)']
      : [
          `its last snapshot is from ${outdatedSnapshot.written.toISOString()}, because it became too large for snapshots`,
          `Restore a newer backup, or this snapshot (millrace restore ${outdatedSnapshot.snapshot}),`,
        ];
  return new DamagedDatabaseError(
    `${message}, and ${missing}. ${remedy} and start again; to start with an empty database, move the folder away.`,
    { cause },
  );
}

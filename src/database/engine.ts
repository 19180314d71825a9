import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { ifMissing } from '../if-missing.ts';
import { DamagedDatabaseError, expectWhole, expectWholeTables } from './damage.ts';
import { loadSnapshot, snapshotOf } from './snapshot.ts';
import { wordsOf } from './words-of.ts';

/** Halves what the engine takes at its defaults; the working set of one machine's jobs is small. */
const smallBuffers = ['shared_buffers=8MB', 'wal_buffers=256kB', 'max_wal_size=64MB', 'min_wal_size=32MB'];

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
 * Opens the engine on the database of a data directory. Where there is none it is made; where it is gone or damaged, its
 * last snapshot is taken up. A database gets its place only when it is whole, so that what is not whole there was damaged.
 *
 * @throws DamagedDatabaseError
 */
export async function openEngine(dataDirectory: string, log: Logger): Promise<PGlite> {
  const folder = databaseFolderOf(dataDirectory);
  const snapshot = snapshotOf(dataDirectory);
  if (await isVacant(folder)) {
    if (!existsSync(snapshot)) return await openNew(folder, await makeDatabase(folder));
    log.warn({ snapshot }, 'the database folder is gone; its last snapshot is taken up');
    return await openNew(folder, await restore(folder, snapshot));
  }
  try {
    return await openFolder(folder);
  } catch (error) {
    if (!existsSync(snapshot)) throw withoutSnapshot(folder, dataDirectory, error);
    const aside = `${folder}.broken-${Date.now()}`;
    log.error({ err: error, snapshot, aside }, 'the database cannot be opened; its last snapshot is taken up');
    const restored = await restore(folder, snapshot);
    await rename(folder, aside);
    return await openNew(folder, restored);
  }
}

/**
 * Opens the engine on a folder as it is: it makes nothing there, and takes up nothing else.
 *
 * @throws Error that says what is wrong with the database.
 */
export async function openFolder(folder: string): Promise<PGlite> {
  await expectWhole(folder);
  const engine = await start(folder);
  try {
    await expectWholeTables(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}

async function openNew(folder: string, made: string): Promise<PGlite> {
  await rename(made, folder);
  return await openFolder(folder);
}

/** Makes a database beside its place, empty or of a snapshot's content; returns where. */
export async function makeDatabase(folder: string, content?: Blob): Promise<string> {
  const place = `${folder}.partial`;
  await rm(place, { recursive: true, force: true });
  // The engine gives its files to everybody: 0666, whatever the umask says (pglite 0.5.16).
  await mkdir(place, { recursive: true, mode: 0o700 });
  try {
    const engine = await start(place, content);
    await engine.close();
    return place;
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  }
}

async function restore(folder: string, snapshot: string): Promise<string> {
  try {
    return await makeDatabase(folder, await loadSnapshot(snapshot));
  } catch (cause) {
    throw new DamagedDatabaseError(
      `The snapshot ${snapshot} cannot be taken up: ${wordsOf(cause)}. Put a backup of it in its place and start again.`,
      { cause },
    );
  }
}

async function start(folder: string, content?: Blob): Promise<PGlite> {
  let lastWords: string | undefined;
  const engine = new PGlite({
    dataDir: folder,
    postgresqlconf: smallBuffers,
    ...(content === undefined ? {} : { loadDataDir: content }),
    onStderr: (line) => {
      lastWords = /(?:FATAL|PANIC): +(.+)/.exec(line)?.[1] ?? lastWords;
      return false;
    },
  });
  try {
    await engine.waitReady;
    return engine;
  } catch (error) {
    putAway(engine);
    // Its error says only that there was one.
    throw lastWords === undefined ? error : new Error(lastWords, { cause: error });
  }
}

/** Ends an engine that did not come up. It cannot be closed, and would wake up every ten seconds for ever. */
function putAway(engine: PGlite): void {
  try {
    engine.Module._emscripten_force_exit(1);
  } catch {
    // Ending throws; what the caller is told is why it did not come up.
  }
}

function withoutSnapshot(folder: string, dataDirectory: string, cause: unknown): DamagedDatabaseError {
  return new DamagedDatabaseError(
    `The database in ${folder} is damaged: ${wordsOf(cause)}, and there is no snapshot of it. ` +
      `Put a backup at ${snapshotOf(dataDirectory)} and start again; to begin with an empty one, move the folder away.`,
    { cause },
  );
}

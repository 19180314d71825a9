import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { databaseFolderOf } from './embedded/database-folder.ts';
import { openEngineOn } from './embedded/open-engine.ts';
import {
  findSnapshot,
  outdatedSnapshotPathOf,
  saveSnapshot,
  snapshotPathOf,
  unpackSnapshot,
} from './embedded/snapshot.ts';
import { openDatabase } from './open-database.ts';
import { putEmptyDatabase } from './testing/test-database.ts';

/**
 * Opens and closes an embedded database, and returns its folder. The last snapshot must be written before the signal is
 * aborted.
 */
async function stopWithin(limit: AbortSignal, hurry?: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-stop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await putEmptyDatabase(folder);
  const settings = { DATA_DIR: folder, DATABASE_URL: undefined, DATABASE_LISTEN_URL: undefined };
  const database = await openDatabase(settings, pino({ level: 'silent' }), {
    ...(hurry === undefined ? {} : { immediateStop: hurry }),
  });
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit);
  onTestFinished(() => timeout.mockRestore());
  await database.close();
  return folder;
}

test('an embedded database is copied when the service stops', { tags: ['long'] }, async () => {
  const folder = await stopWithin(new AbortController().signal);
  const copy = join(folder, 'copy');
  await unpackSnapshot(snapshotPathOf(folder), copy);
  expect(existsSync(join(copy, 'PG_VERSION'))).toBe(true);
});

test('an embedded database is closed without a copy if copying takes too long', async () => {
  const folder = await stopWithin(AbortSignal.abort());
  expect(existsSync(snapshotPathOf(folder))).toBe(false);
});

test('an embedded database is closed without a copy if the stop must not wait', async () => {
  const folder = await stopWithin(new AbortController().signal, AbortSignal.abort());
  expect(existsSync(snapshotPathOf(folder))).toBe(false);
});

test('an embedded database that is too large for memory is not copied', { tags: ['long'] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-large-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await putEmptyDatabase(folder);
  const engine = await openEngineOn(databaseFolderOf(folder));
  onTestFinished(() => engine.close());
  const { signal } = new AbortController();
  expect(await saveSnapshot(engine, folder, signal, 1_000)).toBe(false);
  expect(existsSync(snapshotPathOf(folder))).toBe(false);
  expect(await saveSnapshot(engine, folder, signal)).toBe(true);
  expect(await saveSnapshot(engine, folder, signal, 1_000)).toBe(false);
  expect(await findSnapshot(folder)).toMatchObject({ snapshot: outdatedSnapshotPathOf(folder), outdated: true });
  expect(await saveSnapshot(engine, folder, signal)).toBe(true);
  expect(await findSnapshot(folder)).toMatchObject({ snapshot: snapshotPathOf(folder), outdated: false });
  expect(existsSync(outdatedSnapshotPathOf(folder))).toBe(false);
});

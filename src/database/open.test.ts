import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from './open.ts';
import { snapshotOf, unpackSnapshot } from './snapshot.ts';
import { putEmptyDatabase } from './testing.ts';

/** Opens and closes an embedded database, whose last snapshot has until the signal to be written; returns its folder. */
async function stopWithin(limit: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-stop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await putEmptyDatabase(folder);
  const settings = { DATA_DIR: folder, DATABASE_URL: undefined, DATABASE_LISTEN_URL: undefined };
  const database = await openDatabase(settings, pino({ level: 'silent' }));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit);
  onTestFinished(() => timeout.mockRestore());
  await database.close();
  return folder;
}

test('an embedded database is copied when the service stops', async () => {
  const folder = await stopWithin(new AbortController().signal);
  const copy = join(folder, 'copy');
  await unpackSnapshot(snapshotOf(folder), copy);
  expect(existsSync(join(copy, 'PG_VERSION'))).toBe(true);
});

test('an embedded database is closed without a copy when that takes too long', async () => {
  const folder = await stopWithin(AbortSignal.abort());
  expect(existsSync(snapshotOf(folder))).toBe(false);
});

/** @module-tag long */

import fs from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openEmbeddedDatabase } from './embedded-database.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-unsynced-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

/** Makes the file system reject the fsync of folders, and returns a counter of the rejections. */
async function refuseFolders(code: string): Promise<() => number> {
  let refused = 0;
  const refuse = (stats: fs.Stats) => {
    if (!stats.isDirectory()) return;
    refused += 1;
    throw Object.assign(new Error(`${code}: injected, fsync`), { code, syscall: 'fsync' });
  };
  const { fsyncSync } = fs;
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    refuse(fs.fstatSync(descriptor));
    fsyncSync(descriptor);
  });
  const probe = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const { sync } = prototype;
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof probe) {
    refuse(await this.stat());
    await sync.call(this);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return () => refused;
}

test.each(['EINVAL', 'ENOTSUP'])('the database works even if fsync of folders fails with %s', async (code) => {
  const refused = await refuseFolders(code);
  for (const name of ['first', 'second']) {
    const database = await openEmbeddedDatabase(folder, pino({ level: 'silent' }));
    await database.query(`create unlogged table ${name} (a int primary key)`);
    await database.query('checkpoint');
    await database.close();
  }
  expect(refused()).toBeGreaterThan(2);
});

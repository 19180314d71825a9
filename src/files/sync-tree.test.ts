import fs from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { syncTree } from './sync-tree.ts';

test('flushes each file and folder in a folder, and the folder itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-sync-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  for (const name of ['one', 'a/two', 'a/b/three']) await writeFile(join(folder, name), '');
  const probe = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const inodes: number[] = [];
  const original = prototype.sync;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof probe) {
    inodes.push((await this.stat()).ino);
    await original.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  await syncTree(folder);
  const all = ['.', 'one', 'a', 'a/two', 'a/b', 'a/b/three'].map((name) => fs.statSync(join(folder, name)).ino);
  expect(inodes.toSorted()).toEqual(all.toSorted());
});

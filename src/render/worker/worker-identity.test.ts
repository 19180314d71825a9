import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderInUseError } from '../../files/folder-lock.ts';
import { claimIdentity } from './worker-identity.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-identity-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('returns the same identity at every start', async () => {
  const first = await claimIdentity(directory);
  await first.close();
  const second = await claimIdentity(directory);
  await second.close();
  expect(second.id).toBe(first.id);
  expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
});

test('rejects two workers at the same time', async () => {
  const first = await claimIdentity(directory);
  await expect(claimIdentity(directory)).rejects.toThrow(FolderInUseError);
  await first.close();
});

test('replaces a damaged identity', async () => {
  const path = join(directory, 'worker', 'id');
  await (await claimIdentity(directory)).close();
  await writeFile(path, 'e3b0c442-98');
  const again = await claimIdentity(directory);
  await again.close();
  expect(await readFile(path, 'utf8')).toBe(`${again.id}\n`);
});

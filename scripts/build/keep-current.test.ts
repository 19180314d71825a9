import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepCurrent } from './keep-current.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-build-'));
  await mkdir(join(root, 'src'));
  await change(-60);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const source = () => join(root, 'src', 'main.ts');
const built = () => readFile(join(root, 'dist', 'main.js'), 'utf8');

/** Changes the source, with a modification time this number of seconds from now. */
async function change(seconds: number): Promise<void> {
  const time = new Date(Date.now() + seconds * 1000);
  await writeFile(source(), `at ${seconds}`);
  await utimes(source(), time, time);
  // A folder changes with its files, and counts as a source.
  await utimes(join(root, 'src'), time, time);
}

async function make(fresh: string): Promise<void> {
  await writeFile(join(fresh, 'main.js'), await readFile(source()));
}

const keep = (how = make) =>
  keepCurrent({ folder: join(root, 'dist'), sources: ['src/**', 'package-lock.json'], root, make: how });

test('creates a missing folder', async () => {
  await keep();
  expect(await built()).toBe('at -60');
});

test('leaves a folder unchanged if it is newer than all its sources', async () => {
  await keep();
  await keep(() => Promise.reject(new Error('this was up to date')));
  expect(await built()).toBe('at -60');
});

test('replaces the whole folder if a source is newer', async () => {
  await keep(async (fresh) => {
    await make(fresh);
    await writeFile(join(fresh, 'no longer made.js'), '');
  });
  await change(1);
  await keep();
  expect(await built()).toBe('at 1');
  expect((await readdir(join(root, 'dist'))).toSorted()).toEqual(['built', 'main.js']);
});

test('rebuilds a folder whose source changed during the last build', async () => {
  await keep(async (fresh) => {
    await make(fresh);
    await change(1);
  });
  expect(await built()).toBe('at -60');
  await keep();
  expect(await built()).toBe('at 1');
});

test('leaves everything unchanged if the build fails', async () => {
  await keep();
  await change(1);
  await expect(keep(() => Promise.reject(new Error('a mistake in the source')))).rejects.toThrow('a mistake');
  expect(await built()).toBe('at -60');
  expect((await readdir(root)).toSorted()).toEqual(['dist', 'src']);
});

test('replaces a folder that another process has built in the meantime', async () => {
  await keep(async (fresh) => {
    await make(fresh);
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, 'dist', 'main.js'), 'by another process');
  });
  expect(await built()).toBe('at -60');
  expect((await readdir(root)).toSorted()).toEqual(['dist', 'src']);
});

test('ignores the remains of an interrupted process', async () => {
  const left = join(root, `dist.${process.pid}`);
  await mkdir(left);
  await writeFile(join(left, 'half.js'), '');
  await keep();
  expect((await readdir(join(root, 'dist'))).toSorted()).toEqual(['built', 'main.js']);
});

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

/** Changes the source, so many seconds from now. */
async function change(seconds: number): Promise<void> {
  const time = new Date(Date.now() + seconds * 1000);
  await writeFile(source(), `at ${seconds}`);
  await utimes(source(), time, time);
}

async function make(fresh: string): Promise<void> {
  await writeFile(join(fresh, 'main.js'), await readFile(source()));
}

const keep = (how = make) =>
  keepCurrent({ folder: join(root, 'dist'), sources: ['src/**', 'package-lock.json'], root, make: how });

test('what is missing is made', async () => {
  await keep();
  expect(await built()).toBe('at -60');
});

test('what is newer than all its sources is left as it is', async () => {
  await keep();
  await keep(() => Promise.reject(new Error('this was up to date')));
  expect(await built()).toBe('at -60');
});

test('what is older than a source is replaced whole', async () => {
  await keep(async (fresh) => {
    await make(fresh);
    await writeFile(join(fresh, 'no longer made.js'), '');
  });
  await change(1);
  await keep();
  expect(await built()).toBe('at 1');
  expect((await readdir(join(root, 'dist'))).toSorted()).toEqual(['built', 'main.js']);
});

test('what changes while it is made makes it outdated', async () => {
  await keep(async (fresh) => {
    await make(fresh);
    await change(1);
  });
  expect(await built()).toBe('at -60');
  await keep();
  expect(await built()).toBe('at 1');
});

test('what cannot be made leaves everything as it was', async () => {
  await keep();
  await change(1);
  await expect(keep(() => Promise.reject(new Error('a mistake in the source')))).rejects.toThrow('a mistake');
  expect(await built()).toBe('at -60');
  expect((await readdir(root)).toSorted()).toEqual(['dist', 'src']);
});

test('what another process has made in the meantime is replaced', async () => {
  await keep(async (fresh) => {
    await make(fresh);
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, 'dist', 'main.js'), 'by another process');
  });
  expect(await built()).toBe('at -60');
  expect((await readdir(root)).toSorted()).toEqual(['dist', 'src']);
});

test('what an interrupted process has left is not used', async () => {
  const left = join(root, `dist.${process.pid}`);
  await mkdir(left);
  await writeFile(join(left, 'half.js'), '');
  await keep();
  expect((await readdir(join(root, 'dist'))).toSorted()).toEqual(['built', 'main.js']);
});

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandError } from '../errors/command-errors.ts';
import { fileError } from './file-error.ts';
import { type PartFile, partFileOf } from './part-file.ts';

let folder: string;
let path: string;
let part: PartFile;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-part-'));
  path = join(folder, 'film.mp4');
  part = partFileOf(path);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test('a file is written in parts, resumed, and renamed when complete', async () => {
  const sizes: number[] = [];
  expect(await part.append(0, chunks('abc', 'def'), (bytes) => sizes.push(bytes))).toMatchObject({ bytes: 6 });
  expect([sizes, await part.bytes()]).toEqual([[3, 6], 6]);
  await part.saveMetadata({ query: 'q', size: 9, tag: '"a"' });
  expect(await part.readMetadata('q')).toEqual({ query: 'q', size: 9, tag: '"a"', render: undefined });
  const identity = await part.append(6, chunks('ghi'), () => undefined);
  expect(identity.bytes).toBe(9);
  await part.finish(identity, false);
  expect(await readFile(path, 'utf8')).toBe('abcdefghi');
  expect([await part.bytes(), await part.readMetadata('q')]).toEqual([0, undefined]);
});

test('append creates the folder', async () => {
  const nested = partFileOf(join(folder, 'new', 'films', 'film.mp4'));
  expect(await nested.append(0, chunks('abc'), () => undefined)).toMatchObject({ bytes: 3 });
});

test('append fails in a file system without new folders, and if a file is in the place of a folder', async () => {
  const append = (path: string) => partFileOf(path).append(0, chunks('abc'), () => undefined);
  if (process.platform === 'linux') await expect(append('/proc/films/film.mp4')).rejects.toThrow(CommandError);
  await writeFile(path, 'mine');
  await expect(append(join(path, 'new', 'film.mp4'))).rejects.toThrow(`${path} is not a folder.`);
  await partFileOf(join(path, 'film.mp4')).discard({ keepMetadata: false });
});

test('append drops bytes after the offset', async () => {
  await part.append(0, chunks('abcdef'), () => undefined);
  await part.append(2, chunks('X'), () => undefined);
  expect(await readFile(`${path}.part`, 'utf8')).toBe('abX');
});

test('metadata is readable only by its owner, valid only for its query, and ignored if damaged', async () => {
  await part.saveMetadata({ query: 'q', render: 'https://x/secret' });
  expect((await stat(`${path}.part.json`)).mode & 0o777).toBe(0o600);
  expect(await part.readMetadata('another')).toBeUndefined();
  for (const text of ['', '{', 'null', '[]', '{"question":1}']) {
    await writeFile(`${path}.part.json`, text);
    expect(await part.readMetadata('q')).toBeUndefined();
  }
});

test('finish replaces an existing file only with force', async () => {
  await writeFile(path, 'mine');
  const identity = await part.append(0, chunks('new'), () => undefined);
  await expect(part.finish(identity, false)).rejects.toThrow(/film.mp4 already exists.*--force/);
  expect([await readFile(path, 'utf8'), await readFile(`${path}.part`, 'utf8')]).toEqual(['mine', 'new']);
  await part.finish(identity, true);
  expect(await readFile(path, 'utf8')).toBe('new');
});

test('concurrent commands do not mix their parts', async () => {
  const mine = await part.append(0, chunks('mine'), () => undefined);
  await part.append(0, chunks('other'), () => undefined);
  await expect(part.finish(mine, false)).rejects.toThrow('Another command has changed');
  expect(await readFile(`${path}.part`, 'utf8')).toBe('other');
});

test('a partial file is kept and can be discarded', async () => {
  async function* failingChunks() {
    yield Buffer.from('abc');
    throw new Error('gone');
  }
  await expect(part.append(0, failingChunks(), () => undefined)).rejects.toThrow('gone');
  expect(await part.bytes()).toBe(3);
  await part.discard({ keepMetadata: false });
  expect(await part.bytes()).toBe(0);
});

test('a path that cannot be written is explained', async () => {
  await writeFile(join(folder, 'file'), '');
  const inFile = partFileOf(join(folder, 'file', 'film.mp4')).append(0, chunks('a'), () => undefined);
  await expect(inFile).rejects.toThrow(`${join(folder, 'file')} is not a folder.`);
});

test.each([
  ['ENOSPC', /disk of \/films is full.*resume/],
  ['EDQUOT', /quota/],
  ['EROFS', /read-only/],
  ['EACCES', /permission to write \/films\/a.mp4/],
])('%s is explained', (code, message) => {
  const explained = fileError('/films/a.mp4', Object.assign(new Error(code), { code }));
  expect(explained).toBeInstanceOf(CommandError);
  expect((explained as CommandError).message).toMatch(message);
});

test('any other error is returned unchanged', () => {
  const error = new Error('x');
  expect(fileError('/films/a.mp4', error)).toBe(error);
});

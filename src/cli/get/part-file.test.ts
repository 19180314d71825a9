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

test('a file comes in part, goes on, and has its name when it is whole', async () => {
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

test('what stood behind the place where it goes on is dropped', async () => {
  await part.append(0, chunks('abcdef'), () => undefined);
  await part.append(2, chunks('X'), () => undefined);
  expect(await readFile(`${path}.part`, 'utf8')).toBe('abX');
});

test('the metadata is for its owner and its query alone, and may be damaged', async () => {
  await part.saveMetadata({ query: 'q', render: 'https://x/secret' });
  expect((await stat(`${path}.part.json`)).mode & 0o777).toBe(0o600);
  expect(await part.readMetadata('another')).toBeUndefined();
  for (const text of ['', '{', 'null', '[]', '{"question":1}']) {
    await writeFile(`${path}.part.json`, text);
    expect(await part.readMetadata('q')).toBeUndefined();
  }
});

test('nothing is replaced unless it is forced', async () => {
  await writeFile(path, 'mine');
  const identity = await part.append(0, chunks('new'), () => undefined);
  await expect(part.finish(identity, false)).rejects.toThrow(/film.mp4 is there already.*--force/);
  expect([await readFile(path, 'utf8'), await readFile(`${path}.part`, 'utf8')]).toEqual(['mine', 'new']);
  await part.finish(identity, true);
  expect(await readFile(path, 'utf8')).toBe('new');
});

test('two commands at the same file do not mix what they write', async () => {
  const mine = await part.append(0, chunks('mine'), () => undefined);
  await part.append(0, chunks('other'), () => undefined);
  await expect(part.finish(mine, false)).rejects.toThrow('Another command has changed');
  expect(await readFile(`${path}.part`, 'utf8')).toBe('other');
});

test('what was broken off stays, and can be discarded', async () => {
  async function* failingChunks() {
    yield Buffer.from('abc');
    throw new Error('gone');
  }
  await expect(part.append(0, failingChunks(), () => undefined)).rejects.toThrow('gone');
  expect(await part.bytes()).toBe(3);
  await part.discard();
  expect(await part.bytes()).toBe(0);
});

test('a place that cannot be written is told in words', async () => {
  await writeFile(join(folder, 'file'), '');
  const inFile = partFileOf(join(folder, 'file', 'film.mp4')).append(0, chunks('a'), () => undefined);
  await expect(inFile).rejects.toThrow(`${join(folder, 'file')} is no folder.`);
  await expect(partFileOf(join(folder, 'none', 'film.mp4')).append(0, chunks('a'), () => undefined)).rejects.toThrow(
    `There is no folder ${join(folder, 'none')}.`,
  );
});

test.each([
  ['ENOSPC', /disk of \/films is full.*goes on/],
  ['EDQUOT', /quota/],
  ['EROFS', /read-only/],
  ['EACCES', /may not write \/films\/a.mp4/],
])('%s is told in words', (code, message) => {
  const explained = fileError('/films/a.mp4', Object.assign(new Error(code), { code }));
  expect(explained).toBeInstanceOf(CommandError);
  expect((explained as CommandError).message).toMatch(message);
});

test('any other error stays what it is', () => {
  const error = new Error('x');
  expect(fileError('/films/a.mp4', error)).toBe(error);
});

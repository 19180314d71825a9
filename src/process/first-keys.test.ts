import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportFirstKeys } from './first-keys.ts';

const keys = { extraction: 'mr_x_secret', render: 'mr_r_secret' };
let folder: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-keys-'));
  lines = [];
});
afterEach(() => rm(folder, { recursive: true }));

/** Reports the keys of a start in a folder. */
const report = (newKeys: typeof keys | object, terminal?: PassThrough, dataDirectory = folder) =>
  reportFirstKeys(newKeys, {
    dataDirectory,
    terminal,
    log: pino({}, { write: (line) => void lines.push(line) }),
  });

test('the first keys are displayed on a terminal, and neither logged nor written to a file', async () => {
  const terminal = new PassThrough();
  await report(keys, terminal);
  expect(String(terminal.read())).toMatch(/mr_x_secret[\s\S]*mr_r_secret/);
  expect([lines, await readdir(folder)]).toEqual([[], []]);
});

test('without a terminal, the first keys are in a file of the service alone, whose path is logged', async () => {
  await report(keys);
  const path = join(folder, 'first-keys');
  expect(await readFile(path, 'utf8')).toMatch(/^extraction .+mr_x_secret\ndirect .+mr_r_secret\n$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ path }]);
  expect(lines.join()).not.toContain('secret');
});

test('a file of earlier first keys is kept', async () => {
  await report({ extraction: 'mr_x_earlier' });
  await report(keys);
  const files = await readdir(folder);
  expect(files).toHaveLength(2);
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts.join()).toMatch(/mr_x_earlier[\s\S]*mr_x_secret/);
});

test('keys that cannot be saved are reported without the keys', async () => {
  await report(keys, undefined, join(folder, 'missing'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50 }]);
  expect(lines.join()).not.toContain('secret');
});

test('nothing is reported if no key was created', async () => {
  await report({});
  expect([lines, await readdir(folder)]).toEqual([[], []]);
});

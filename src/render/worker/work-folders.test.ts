import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkFolders } from './work-folders.ts';

const { signal } = new AbortController();
const log = pino({ level: 'silent' });
let directory: string;
let resumable: Set<string>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-work-'));
  resumable = new Set();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = () => openWorkFolders(directory, 'me', { resumable: async () => resumable }, log);

/** A folder as a run leaves it. */
async function leave(run: string) {
  await mkdir(join(directory, run, 'inputs'), { recursive: true });
  await writeFile(join(directory, run, 'inputs', 'input-1.mp4'), run);
  await writeFile(join(directory, run, 'result.mp4'), 'half');
}

test('what a former run has fetched comes along, and nothing else of it', async () => {
  await leave('old');
  resumable = new Set(['old']);
  const folders = await open();
  const folder = await folders.open('new', 'old', signal);
  expect(await readFile(join(folder, 'inputs', 'input-1.mp4'), 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['inputs']);
  expect(await readdir(directory)).toEqual(['new']);
  await folders.remove('new');
  expect(await readdir(directory)).toEqual([]);
  await folders.close();
});

test('folders that no run can go on with are removed: at a start, and when a run leaves its own', async () => {
  await leave('old');
  await leave('gone');
  resumable = new Set(['old']);
  const folders = await open();
  expect(await readdir(directory)).toEqual(['old']);
  await folders.open('kept', undefined, signal);
  await folders.open('lost', undefined, signal);
  resumable = new Set(['kept']);
  folders.leave('lost');
  folders.leave('kept');
  await folders.close();
  expect(await readdir(directory)).toEqual(['kept']);
});

test('what is left of a run that was cancelled meanwhile is removed when that is told', async () => {
  await leave('cancelled');
  resumable = new Set(['cancelled']);
  const folders = await open();
  resumable = new Set();
  folders.leave('cancelled');
  await folders.close();
  expect(await readdir(directory)).toEqual([]);
});

test('a run begins with nothing where its former folder is gone', async () => {
  const folders = await open();
  const folder = await folders.open('new', 'old', signal);
  expect(await readdir(folder)).toEqual([]);
  await folders.close();
});

test('a run waits until its former one has let go of the folder', async () => {
  const folders = await open();
  await folders.open('old', undefined, signal);
  await leave('old');
  resumable = new Set(['old']);
  const taken = folders.open('new', 'old', signal);
  await access(join(directory, 'old', 'inputs'));
  folders.leave('old');
  expect(await readdir(join(await taken, 'inputs'))).toEqual(['input-1.mp4']);
  const aborted = AbortSignal.abort(new Error('the worker stops'));
  await expect(folders.open('next', 'new', aborted)).rejects.toThrow();
  await folders.close();
});

import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostileKinds, makeHostileFolder, untouchedContent } from '../../files/testing/hostile-files.ts';
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

const open = (logger = log) => openWorkFolders(directory, 'me', { resumableRuns: async () => resumable }, logger);
const notUtf8 = (folder: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x41])]);

/** Leaves a folder behind, as a run does. */
async function leave(run: string) {
  await mkdir(join(directory, run, 'inputs'), { recursive: true });
  await writeFile(join(directory, run, 'inputs', 'input-1.mp4'), run);
  await writeFile(join(directory, run, 'result.mp4'), 'half');
}

test('moves the inputs of an earlier run into the new folder, and nothing else', async () => {
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

describe('on a full disk', () => {
  test('removes folders of earlier runs when no run is active, those with a retained result last', async () => {
    await mkdir(join(directory, 'kept-1', 'kept'), { recursive: true });
    await leave('one');
    await leave('two');
    resumable = new Set(['kept-1', 'one', 'two']);
    const folders = await open();
    await folders.open('new', undefined, signal);
    expect(await folders.makeRoom()).toBe(false);
    await folders.remove('new');
    expect([await folders.makeRoom(), await folders.makeRoom()]).toEqual([true, true]);
    expect(await readdir(directory)).toEqual(['kept-1']);
    expect([await folders.makeRoom(), await folders.makeRoom()]).toEqual([true, false]);
    await folders.close();
  });

  test('removes entries whose names are not UTF-8 together with the folder of a run', async () => {
    await leave('one');
    await writeFile(notUtf8(join(directory, 'one')), 'x');
    resumable = new Set(['one']);
    const folders = await open();
    expect([await folders.makeRoom(), await folders.makeRoom()]).toEqual([true, false]);
    expect(await readdir(directory)).toEqual([]);
    await folders.close();
  });

  test('skips an entry that cannot be removed, and logs it once', async () => {
    const lines: string[] = [];
    // A name that is not UTF-8, which the service never opens.
    await writeFile(notUtf8(directory), 'x');
    await writeFile(join(directory, 'a\\b'), 'x');
    await leave('gone');
    await leave('one');
    resumable = new Set(['one']);
    const folders = await open(pino({}, { write: (line: string) => lines.push(line) }));
    expect(await readdir(directory)).toHaveLength(3);
    expect([await folders.makeRoom(), await folders.makeRoom()]).toEqual([true, false]);
    await folders.close();
    expect(await readdir(directory)).toHaveLength(2);
    expect(lines).toHaveLength(2);
  });
});

test('moves a result that waits for the store into the new folder', async () => {
  await mkdir(join(directory, 'old', 'kept'), { recursive: true });
  await writeFile(join(directory, 'old', 'kept', 'result.mp4'), 'a film');
  resumable = new Set(['old']);
  const folders = await open();
  const folder = await folders.open('new', 'old', signal);
  expect(await readFile(join(folder, 'kept', 'result.mp4'), 'utf8')).toBe('a film');
  await folders.close();
});

test('removes folders that no run can resume, at a start and when a run leaves its own', async () => {
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

test('removes the folder of a cancelled run when it is notified of the cancellation', async () => {
  await leave('cancelled');
  resumable = new Set(['cancelled']);
  const folders = await open();
  resumable = new Set();
  folders.leave('cancelled');
  await folders.close();
  expect(await readdir(directory)).toEqual([]);
});

test('starts with an empty folder if the earlier folder no longer exists', async () => {
  const folders = await open();
  const folder = await folders.open('new', 'old', signal);
  expect(await readdir(folder)).toEqual([]);
  await folders.close();
});

test('waits until the earlier run has released the folder', async () => {
  const folders = await open();
  await folders.open('old', undefined, signal);
  await leave('old');
  resumable = new Set(['old']);
  const opening = folders.open('new', 'old', signal);
  await access(join(directory, 'old', 'inputs'));
  folders.leave('old');
  expect(await readdir(join(await opening, 'inputs'))).toEqual(['input-1.mp4']);
  const aborted = AbortSignal.abort(new Error('the worker stops'));
  await expect(folders.open('next', 'new', aborted)).rejects.toThrow();
  await folders.close();
});

describe('entries that a child left in the folder of an earlier run', () => {
  test.each(hostileKinds)('removes a %s instead of resuming with it', async (trap) => {
    const ground = await makeHostileFolder();
    await leave('old');
    await ground.place(trap, join(directory, 'old', 'inputs', 'input-2.mp4'));
    resumable = new Set(['old']);
    const folders = await open();
    const folder = await folders.open('new', 'old', signal);
    expect(await readdir(join(folder, 'inputs'))).toEqual(['input-1.mp4']);
    await folders.close();
    expect(await ground.readVictim()).toBe(untouchedContent);
    await ground.delete();
  });

  test('removes a link in place of the folder of inputs, but not its target', async () => {
    await leave('old');
    await leave('other');
    await rm(join(directory, 'old', 'inputs'), { recursive: true });
    await symlink(join(directory, 'other', 'inputs'), join(directory, 'old', 'inputs'));
    resumable = new Set(['old', 'other']);
    const folders = await open();
    const folder = await folders.open('new', 'old', signal);
    expect(await readdir(folder)).toEqual([]);
    await folders.close();
    expect(await readFile(join(directory, 'other', 'inputs', 'input-1.mp4'), 'utf8')).toBe('other');
  });

  test('does not follow a link in place of the whole folder', async () => {
    await leave('other');
    await symlink(join(directory, 'other'), join(directory, 'old'));
    resumable = new Set(['old', 'other']);
    const folders = await open();
    const folder = await folders.open('new', 'old', signal);
    expect(await readdir(folder)).toEqual([]);
    await folders.close();
    expect(await readdir(join(directory, 'other'))).toEqual(['inputs', 'result.mp4']);
  });

  test('removes links at a start, but not their targets', async () => {
    const ground = await makeHostileFolder();
    await leave('gone');
    await symlink(ground.folder, join(directory, 'gone', 'inputs', 'link'));
    await symlink(ground.victim, join(directory, 'gone', 'link'));
    await rename(join(directory, 'gone', 'link'), join(directory, 'linked'));
    const folders = await open();
    await folders.close();
    expect(await readdir(directory)).toEqual([]);
    expect(await ground.readVictim()).toBe(untouchedContent);
    expect(await readdir(ground.folder)).toEqual([]);
    await ground.delete();
  });
});

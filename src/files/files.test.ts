import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOBODY, ROOT, runAsOrdinaryUser } from '../../test/support/ordinary-user.ts';
import { openFolder } from './folder.ts';
import { ifMissing } from './if-missing.ts';
import { openForReading, openForWriting, sizeOf } from './open-file.ts';
import { moveOutputFile, openOutputFile } from './output-file.ts';
import { removeFile, removeTree } from './remove-tree.ts';
import { createTextFile, readTextFile } from './small-file.ts';
import { type HostileFolder, hostileKinds, makeHostileFolder, untouchedContent } from './testing/hostile-files.ts';
import { UnsafeFileError } from './unsafe-file-error.ts';

let ground: HostileFolder;
let file: string;
beforeEach(async () => {
  ground = await makeHostileFolder();
  file = join(ground.folder, 'file');
});
afterEach(() => ground.delete());

describe.each(hostileKinds)('a %s', (trap) => {
  beforeEach(() => ground.place(trap, file));
  // A FIFO that is opened in the usual way blocks forever.
  const limit = { timeout: 60_000 };

  test('is not read', limit, async () => {
    await expect(openForReading(file)).rejects.toThrow(UnsafeFileError);
    await expect(readTextFile(file, 100)).rejects.toThrow(UnsafeFileError);
    expect(await sizeOf(file)).toBeUndefined();
  });

  test.each([true, false])('is not written (keep: %s)', limit, async (keep) => {
    await expect(openForWriting(file, { keep })).rejects.toThrow(UnsafeFileError);
    expect(await ground.readVictim()).toBe(untouchedContent);
  });

  test('is not moved', limit, async () => {
    const place = join(ground.folder, 'place');
    await expect(moveOutputFile(ground.folder, { name: 'file', size: untouchedContent.length }, place)).rejects.toThrow(
      UnsafeFileError,
    );
    await expect(lstat(place)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is deleted without its target', limit, async () => {
    await removeTree(file);
    expect(await readdir(ground.folder)).toEqual([]);
    expect(await ground.readVictim()).toBe(untouchedContent);
  });
});

test('devices are neither read nor written', async ({ skip }) => {
  try {
    execFileSync('mknod', [file, 'c', '1', '3'], { stdio: 'ignore' });
  } catch {
    skip('only root can make devices');
  }
  await expect(openForReading(file)).rejects.toThrow(/is not a regular file/);
  await expect(openForWriting(file, { keep: true })).rejects.toThrow(/is not a regular file/);
});

test('files in a linked folder are neither read, written, moved nor deleted', async () => {
  const elsewhere = join(ground.folder, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'file'), 'theirs');
  const link = join(ground.folder, 'link');
  await symlink(elsewhere, link);
  const path = join(link, 'file');
  const place = join(ground.folder, 'place');
  await writeFile(place, 'ours');
  await expect(openForReading(path)).rejects.toThrow(UnsafeFileError);
  await expect(openForWriting(path, { keep: false })).rejects.toThrow(UnsafeFileError);
  await expect(moveOutputFile(link, { name: 'file', size: 6 }, place)).rejects.toThrow(UnsafeFileError);
  await expect(moveOutputFile(ground.folder, { name: 'place', size: 4 }, join(link, 'new'))).rejects.toThrow(
    UnsafeFileError,
  );
  await expect(removeFile(path)).rejects.toThrow(UnsafeFileError);
  await expect(removeTree(path)).rejects.toThrow(UnsafeFileError);
  expect(await readdir(elsewhere)).toEqual(['file']);
  expect(await readFile(join(elsewhere, 'file'), 'utf8')).toBe('theirs');
  expect(await readFile(place, 'utf8')).toBe('ours');
});

test.runIf(process.platform === 'linux')('an open folder stays the same when its path is replaced', async () => {
  const [path, moved] = [join(ground.folder, 'held'), join(ground.folder, 'moved')];
  await mkdir(path);
  const folder = await openFolder(path);
  await rename(path, moved);
  await symlink(ground.folder, path);
  await writeFile(folder.at('file'), 'here');
  await folder.close();
  expect(await readFile(join(moved, 'file'), 'utf8')).toBe('here');
  expect((await readdir(ground.folder)).sort()).toEqual(['held', 'moved']);
});

describe('moving an output file', () => {
  const place = () => join(ground.folder, 'place');
  const take = (name: string, size: number) => moveOutputFile(ground.folder, { name, size }, place());

  test('succeeds if the file matches the report, and gives only the service access to it', async () => {
    await writeFile(file, 'a film');
    await chmod(file, 0o666);
    await writeFile(join(ground.folder, 'other'), 'left there');
    if (ROOT) await chown(file, NOBODY, NOBODY);
    await take('file', 6);
    expect((await readdir(ground.folder)).sort()).toEqual(['other', 'place']);
    expect(await readFile(place(), 'utf8')).toBe('a film');
    const { mode, uid } = await stat(place());
    expect([mode & 0o777, uid]).toEqual([0o600, process.geteuid?.()]);
  });

  test.each([5, 7, 0])('rejects a file with %i bytes if 6 were reported', async (size) => {
    await writeFile(file, 'x'.repeat(size));
    await expect(take('file', 6)).rejects.toThrow(`has ${size} bytes instead of 6`);
  });

  test.each(['../victim', '/etc/passwd', '.', '..', '', 'a/b', 'a\\b', 'file\0', './file'])(
    'rejects the name %j',
    async (name) => {
      await writeFile(file, 'a film');
      await expect(take(name, 6)).rejects.toThrow(/is not a valid file name/);
    },
  );

  test('fails if the file does not exist', async () => {
    await expect(take('file', 6)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each([
    ['a symbolic link', () => symlink(ground.victim, file)],
    ['another file of the same size', () => writeFile(file, 'b film')],
  ])('rejects %s that replaced the file after it was opened', async (_name, replace) => {
    await writeFile(file, 'a film');
    const held = await openOutputFile(file, 6);
    await unlink(file);
    await replace();
    await expect(held.moveTo(place())).rejects.toThrow(/was replaced while it was moved/);
    await held.close();
    await expect(lstat(place())).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await ground.readVictim()).toBe(untouchedContent);
  });

  test('rejects a file that grew after it was opened', async () => {
    await writeFile(file, 'a film');
    const held = await openOutputFile(file, 6);
    await writeFile(file, 'a long film');
    await expect(held.moveTo(place())).rejects.toThrow(/has 11 bytes instead of 6/);
    await held.close();
  });
});

test('an input may have a second hard link, which the engine reads, and other files may not', async () => {
  await writeFile(file, 'an input');
  execFileSync('ln', [file, `${file}-of-the-child`]);
  expect(await sizeOf(file)).toBeUndefined();
  expect(await sizeOf(file, { links: 'any' })).toBe(8);
  await (await openForWriting(file, { keep: true, links: 'any' })).close();
  await expect(openForWriting(file, { keep: true })).rejects.toThrow('has 2 links instead of one');
  await expect(openOutputFile(file, 8)).rejects.toThrow('has 2 links instead of one');
});

test('a new file is accessible to its owner only, and reads stay within the limit', async () => {
  const newFile = await openForWriting(file, { keep: false });
  await newFile.write('a long text');
  await newFile.close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readTextFile(file, 6)).toBe('a long');
});

test('deleting a missing file does nothing', async () => {
  await removeFile(file);
  await removeTree(file);
  await removeFile(join(file, 'in', 'it'));
  await removeTree(join(file, 'in', 'it'));
});

test('a tree is deleted even if its folders allow no access', async ({ skip }) => {
  await chmod(join(ground.folder, '..'), 0o755);
  await chmod(ground.folder, 0o777);
  const deleted = runAsOrdinaryUser<boolean>(`
    import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
    import { removeTree } from '${join(import.meta.dirname, 'remove-tree.ts')}';
    const tree = ${JSON.stringify(file)};
    mkdirSync(tree + '/locked/inner', { recursive: true });
    writeFileSync(tree + '/locked/inner/file', '');
    for (const path of [tree + '/locked/inner', tree + '/locked', tree]) chmodSync(path, 0);
    await removeTree(tree);
    console.log(JSON.stringify(!existsSync(tree)));`);
  if (deleted === undefined) skip('nobody can run programs from here');
  expect(deleted).toBe(true);
});

test('a tree is deleted with its links, but without their targets', async () => {
  await mkdir(join(file, 'deep', 'deeper'), { recursive: true });
  const outside = join(ground.folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'theirs'), '');
  for (const at of [file, join(file, 'deep'), join(file, 'deep', 'deeper')]) {
    await symlink(outside, join(at, 'to-folder'));
    await symlink(ground.victim, join(at, 'to-file'));
    await symlink('..', join(at, 'up'));
    await symlink('/', join(at, 'root'));
  }
  await utimes(outside, 1, 1);
  await removeTree(file);
  expect(await readdir(ground.folder)).toEqual(['outside']);
  expect(await readdir(outside)).toEqual(['theirs']);
  expect((await stat(outside)).mtimeMs).toBe(1000);
  expect(await ground.readVictim()).toBe(untouchedContent);
});

test('a tree with overlong paths and names that are not UTF-8 is deleted', async () => {
  const script = `
    const fs = require('node:fs');
    for (let depth = 0; depth < 60; depth += 1) {
      const name = String(depth).padEnd(200, 'x');
      fs.mkdirSync(name);
      fs.writeFileSync('file', '');
      fs.mkdirSync(Buffer.from([0xff, 0xfe, 0x41]));
      process.chdir(name);
    }
  `;
  const tree = join(ground.folder, 'deep');
  await mkdir(tree);
  execFileSync(process.execPath, ['-e', script], { cwd: tree });
  await removeTree(tree);
  await expect(lstat(tree)).rejects.toMatchObject({ code: 'ENOENT' });
});

describe('creating a small file', () => {
  test('succeeds for one of many processes, writes the whole file, and leaves no other files', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => createTextFile(file, `text ${index}`)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await readTextFile(file, 100)).toBe(`text ${outcomes.indexOf(true)}`);
    expect(await readdir(ground.folder)).toEqual(['file']);
  });

  test('allows reads while others create it', async () => {
    const reads = Array.from({ length: 50 }, () => readTextFile(file, 100, { links: 'any' }).catch(ifMissing));
    const [texts] = await Promise.all([
      Promise.all(reads),
      createTextFile(file, 'a text'),
      createTextFile(file, 'a text'),
    ]);
    for (const text of texts) expect([undefined, 'a text']).toContain(text);
  });

  test.each(hostileKinds)('does not replace a %s', async (trap) => {
    await ground.place(trap, file);
    expect(await createTextFile(file, 'a text')).toBe(false);
    expect(await ground.readVictim()).toBe(untouchedContent);
  });
});

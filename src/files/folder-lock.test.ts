import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAsOrdinaryUser } from '../../test/support/ordinary-user.ts';
import { StartError } from '../contract/start-error.ts';
import { FolderInUseError, LOCK_FILE, lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Whether another process can take the lock. */
function otherGetsIt(): boolean {
  const module = `import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)};
    lockFolder(${JSON.stringify(folder)}, 0);`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', module]).status === 0;
}

describe('the lock of a folder', () => {
  test('keeps other processes out until it is released', () => {
    const lock = lockFolder(folder);
    expect(otherGetsIt()).toBe(false);
    expect(() => lockFolder(folder, 0)).toThrow(FolderInUseError);
    lock.release();
    expect(otherGetsIt()).toBe(true);
  });

  test('outlives the last reference to it', async () => {
    lockFolder(folder);
    setFlagsFromString('--expose-gc');
    const collectGarbage: unknown = runInNewContext('gc');
    if (typeof collectGarbage !== 'function') throw new Error('garbage cannot be collected');
    for (let round = 0; round < 3; round += 1) {
      collectGarbage();
      await nextTurn();
    }
    expect(otherGetsIt()).toBe(false);
  });

  test.each([
    ['garbage', 'x'.repeat(5_000)],
    ['a few bytes', 'locked by 4711'],
    ['the header of a database and garbage', `SQLite format 3\0${'x'.repeat(5_000)}`],
  ])('can be taken and keeps others out even if its file contains %s', async (_, contents) => {
    await writeFile(join(folder, LOCK_FILE), contents);
    const lock = lockFolder(folder, 0);
    expect(otherGetsIt()).toBe(false);
    lock.release();
  });

  test('stays with its holder when its file is damaged', () => {
    const lock = lockFolder(folder);
    // Another process writes to the file, because the locks of a process end when it closes any descriptor of the file
    // (fcntl(2)).
    const write = `fs.writeFileSync(${JSON.stringify(join(folder, LOCK_FILE))}, 'x'.repeat(5_000), { flag: 'r+' })`;
    spawnSync(process.execPath, ['--eval', write]);
    expect(otherGetsIt()).toBe(false);
    lock.release();
  });

  test('fails with the reason if its file is a folder', async () => {
    await mkdir(join(folder, LOCK_FILE));
    expect(() => lockFolder(folder, 0)).toThrow(StartError);
    expect(() => lockFolder(folder, 0)).not.toThrow(FolderInUseError);
    expect(() => lockFolder(folder, 0)).toThrow(/lock cannot be locked: .+ Delete it/);
  });

  test('can be taken on a full disk', async (context) => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0;
    if (!mounted) context.skip('only root may mount a small disk');
    try {
      await writeFile(join(disk, LOCK_FILE), '');
      await expect(writeFile(join(disk, 'ballast'), Buffer.alloc(100_000))).rejects.toThrow('ENOSPC');
      const lock = lockFolder(disk, 0);
      expect(() => lockFolder(disk, 0)).toThrow(FolderInUseError);
      lock.release();
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  test('is refused for a read-only file, which would lock nothing', (context) => {
    const message = runAsOrdinaryUser<string>(`
      import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
      import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)};
      const folder = mkdtempSync('/tmp/millrace-lock-');
      writeFileSync(folder + '/lock', '', { mode: 0o400 });
      try { lockFolder(folder, 0); console.log('"locked"'); }
      catch (error) { console.log(JSON.stringify(error.name + ': ' + error.message)); }
      finally { rmSync(folder, { recursive: true }); }`);
    if (message === undefined) context.skip('the tests run as root, and no other user can read this folder');
    expect(message).toMatch(/^StartError: .+lock cannot be locked: the service has no access to it/);
  });
});

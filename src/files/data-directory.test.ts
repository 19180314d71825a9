import { execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ordinaryUser, ROOT, runAsOrdinaryUser } from '../../test/support/ordinary-user.ts';
import { inspectDataDirectory, openDataDirectory } from './data-directory.ts';
import { FolderInUseError, lockFolder } from './folder-lock.ts';

const log = pino({ level: 'silent' });
let root: string;
let directory: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-data-'));
  await chmod(root, 0o755);
  directory = join(root, 'data');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Creates files with permissions for everybody, and their parent folders. */
async function makeOpen(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x');
    await chmod(path, 0o666);
    for (let at = dirname(path); at !== root; at = dirname(at)) await chmod(at, 0o777);
  }
}

const modeOf = async (name = '') => ((await lstat(join(directory, name))).mode & 0o7777).toString(8);

/** Returns the paths that others can reach. */
function openBelow(path: string): string[] {
  const openPaths = execFileSync('find', [path, '!', '-type', 'l', '-perm', '/077'], { encoding: 'utf8' });
  return openPaths.split('\n').filter((line) => line !== '');
}

test('gives only the owner access to a new folder', async () => {
  expect(await openDataDirectory(directory, true, log)).toBe(directory);
  expect(await modeOf()).toBe('700');
});

test("closes a folder that is open to everybody, with all of the service's data in it", async () => {
  await makeOpen(
    'database/PG_VERSION',
    'database/base/1/1259',
    'database.snapshot.tgz',
    'database.broken-1/PG_VERSION',
    'lock',
    'work/run/inputs/input-1.mp4',
    'worker/id',
    'command-line-keys.json',
    'first-keys',
    'first-keys.1795000000000',
    'test-lab/v1/amber-2.movie-360.mp4',
  );
  expect(await openDataDirectory(directory, true, log)).toBe(directory);
  expect(openBelow(directory)).toEqual([]);
  expect(await modeOf('database/base/1/1259')).toBe('600');
  expect(await modeOf('database/base/1')).toBe('700');
});

test('reports closed data as closed, and does not change permissions when it only inspects them', async () => {
  await makeOpen('database/PG_VERSION');
  const place = await inspectDataDirectory(directory);
  expect(place).toMatchObject({ path: directory, kind: 'whole' });
  expect(place.openDatabase.map(({ path }) => path)).toContain(join(directory, 'database', 'PG_VERSION'));
  expect(await modeOf('database/PG_VERSION')).toBe('666');
  await openDataDirectory(directory, true, log);
  expect(await inspectDataDirectory(directory)).toMatchObject({ open: [], openDatabase: [] });
});

test('does not follow links when removing permissions', async () => {
  const outside = join(root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'theirs'), '');
  await chmod(join(outside, 'theirs'), 0o666);
  await makeOpen('database/PG_VERSION', 'work/run/result.mp4');
  await symlink(join(outside, 'theirs'), join(directory, 'work', 'run', 'link'));
  await symlink(outside, join(directory, 'database', 'link'));
  await openDataDirectory(directory, true, log);
  expect((await stat(join(outside, 'theirs'))).mode & 0o777).toBe(0o666);
});

test('closes a part of the data that the operator moved elsewhere', async () => {
  const elsewhere = join(root, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'PG_VERSION'), '');
  await chmod(join(elsewhere, 'PG_VERSION'), 0o666);
  await mkdir(directory);
  await symlink(elsewhere, join(directory, 'database'));
  await openDataDirectory(directory, true, log);
  expect(openBelow(elsewhere)).toEqual([]);
});

describe('a folder that another process uses', () => {
  /** Returns everything in the folder, with its permissions and the time of its last change. */
  const state = () => execFileSync('find', [directory, '-printf', '%p %m %C@\n'], { encoding: 'utf8' });
  /** What a running service has open to the users of its media engine. */
  const engineFile = 'engine/engine-1/launch.pl';

  test.each(['', 'private'])('stays as it is when a second start is refused: %j', async (name) => {
    const data = join(directory, name);
    await makeOpen(...(name === '' ? [] : ['theirs']), join(name, engineFile), join(name, 'database/PG_VERSION'));
    const lock = lockFolder(data);
    const before = state();
    try {
      await expect(openDataDirectory(directory, true, log)).rejects.toThrow(FolderInUseError);
    } finally {
      lock.release();
    }
    expect(state()).toBe(before);
    expect(await openDataDirectory(directory, true, log)).toBe(data);
    expect(openBelow(join(data, 'engine'))).toEqual([]);
  });

  test('keeps what its worker has open, if nodes on a database server share it', async () => {
    await makeOpen(engineFile, 'worker/id');
    const lock = lockFolder(join(directory, 'worker'));
    try {
      expect(await openDataDirectory(directory, false, log)).toBe(directory);
      expect([await modeOf(), await modeOf(engineFile)]).toEqual(['777', '666']);
    } finally {
      lock.release();
    }
    await openDataDirectory(directory, false, log);
    expect([await modeOf(), await modeOf(engineFile)]).toEqual(['700', '600']);
  });
});

describe('a folder that others use too', () => {
  test('keeps its permissions, and the data goes into a private folder', async () => {
    await makeOpen('theirs');
    expect(await openDataDirectory(directory, true, log)).toBe(join(directory, 'private'));
    expect([await modeOf(), await modeOf('private'), await modeOf('theirs')]).toEqual(['777', '700', '666']);
  });

  test('keeps existing data in place and closes it, if others cannot replace it', async () => {
    await makeOpen('theirs', 'database/PG_VERSION', 'database.snapshot.tgz', 'files/ab/file');
    expect(await openDataDirectory(directory, true, log)).toBe(directory);
    expect(await modeOf()).toBe('755');
    expect([await modeOf('theirs'), await modeOf('files')]).toEqual(['666', '700']);
    expect(openBelow(join(directory, 'database'))).toEqual([]);
    expect(await modeOf('database.snapshot.tgz')).toBe('600');
    expect(await readdir(directory)).not.toContain('private');
  });

  test('keeps using the private folder once it contains data, even if the owner of DATA_DIR changes', async () => {
    await makeOpen('theirs');
    const place = await openDataDirectory(directory, true, log);
    await mkdir(join(place, 'database'));
    await rm(join(directory, 'theirs'));
    await makeOpen('database.snapshot.tgz');
    expect(await openDataDirectory(directory, true, log)).toBe(place);
    expect(await inspectDataDirectory(directory)).toMatchObject({ unusedNames: ['database.snapshot.tgz'] });
  });
});

test.runIf(ROOT)("rejects another user's database and names the remedy, unless others cannot reach it", async () => {
  await makeOpen('theirs', 'worker/id', 'database/PG_VERSION');
  // A folder for everyone with the sticky bit, such as /tmp, which only root can close.
  await chmod(directory, 0o1777);
  await chown(join(directory, 'database'), 4242, 4242);
  await expect(openDataDirectory(directory, true, log)).rejects.toThrow(
    /Other users can read or change the database: .*database belongs to user 4242 .*chown -R/,
  );
  // The check does not apply if the database is elsewhere.
  expect(await openDataDirectory(directory, false, log)).toBe(directory);
  await chmod(directory, 0o700);
  expect(await openDataDirectory(directory, true, log)).toBe(directory);
});

describe('an ordinary user', () => {
  /** Opens the data directory as an ordinary user. */
  function openAs(skip: (note: string) => void) {
    const result = runAsOrdinaryUser<{ path?: string; error?: string; mode: string }>(`
      import { stat } from 'node:fs/promises';
      import { openDataDirectory } from '${join(import.meta.dirname, 'data-directory.ts')}';
      const log = { info: () => undefined, warn: () => undefined };
      const told = await openDataDirectory(${JSON.stringify(directory)}, true, log).then(
        async (path) => ({ path, mode: ((await stat(path)).mode & 0o777).toString(8) }),
        (error) => ({ error: error.message }),
      );
      console.log(JSON.stringify(told));`);
    if (result === undefined) skip('nobody can run programs from here');
    return result;
  }

  test.runIf(ROOT)('keeps data in a private folder of a volume that belongs to root', async ({ skip }) => {
    await mkdir(directory);
    await chown(directory, 0, ordinaryUser ?? 0);
    // This is how kubelet leaves a volume with fsGroup.
    await chmod(directory, 0o2775);
    expect(openAs(skip)).toEqual({ path: join(directory, 'private'), mode: '700' });
    // Kubelet gives the group access to all files again at each mount of the volume.
    execFileSync('chmod', ['-R', 'g+rwX', directory]);
    expect(openAs(skip)).toEqual({ path: join(directory, 'private'), mode: '700' });
    expect(await modeOf()).toBe('2775');
  });

  test.runIf(ROOT)(
    'keeps using a database that an earlier version created directly in a volume that belongs to root',
    async ({ skip }) => {
      await makeOpen('database/PG_VERSION', 'database/base/1/1259', 'database.snapshot.tgz', 'worker/id');
      execFileSync('chown', ['-R', `${ordinaryUser}`, directory]);
      await chown(directory, 0, ordinaryUser ?? 0);
      expect(openAs(skip)).toEqual({ path: directory, mode: '777' });
      expect(openBelow(directory)).toEqual([directory]);
    },
  );

  test.runIf(ROOT)('rejects an open database that belongs to another user', async ({ skip }) => {
    await makeOpen('database/PG_VERSION', 'worker/id');
    await chown(directory, 0, ordinaryUser ?? 0);
    expect(openAs(skip)?.error).toMatch(/Other users can read or change the database: .* belongs to user 0/);
  });

  test.runIf(ROOT)('rejects a private folder that another user created', async ({ skip }) => {
    await mkdir(join(directory, 'private'), { recursive: true });
    await chown(join(directory, 'private'), 4242, 4242);
    await chmod(directory, 0o777);
    expect(openAs(skip)?.error).toMatch(/private, which belongs to user 4242. Remove it, or set DATA_DIR/);
  });

  test.runIf(ROOT)('closes a folder that belongs to that user', async ({ skip }) => {
    await makeOpen('database/PG_VERSION', 'database.snapshot.tgz');
    execFileSync('chown', ['-R', `${ordinaryUser}`, directory]);
    expect(openAs(skip)).toEqual({ path: directory, mode: '700' });
    expect(openBelow(directory)).toEqual([]);
  });
});

/** @module-tag long */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type AdminKey, type ServiceWithAdmin, startServiceWithAdmin } from '../../support/admin.ts';
import { millrace } from '../../support/command-line.ts';
import { describeJob, run } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { temporaryFolder } from '../../support/processes.ts';

const lab = inject('labUrl');
const embedded = { DATABASE_URL: '', STORAGE_URL: '' };
const sound = () => ({ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' });

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
let world: ServiceWithAdmin;
let backup: string;

const start = () => startServiceWithAdmin(lab, data, {}, embedded);
const command = (...words: string[]) =>
  millrace(words, { env: { DATA_DIR: data, ...world.settings }, cwd: folder.path });
const keys = async () => (await world.admin<{ keys: AdminKey[] }>('GET', '/admin/keys')).body.keys;
const namesOf = (list: readonly AdminKey[]) => list.map(({ name }) => name);

beforeAll(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  backup = join(folder.path, 'backup.tgz');
  world = await start();
});
afterAll(async () => {
  await world.service.kill();
  await folder.delete();
});

describe('a backup', () => {
  let done: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    await world.admin('POST', '/admin/keys', { plan: 'PRO', name: 'before' });
    done = await run(world.service.url, describeJob('convert_format', [sound()], 'm4a'));
  });

  test('is written while the service runs, and is readable only by its user', async () => {
    expect(await command('backup', 'backup.tgz')).toMatchObject({ code: 0, stderr: '' });
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    await world.admin('POST', '/admin/keys', { plan: 'PRO', name: 'after' });
  });

  test('is not restored while the service runs', async () => {
    const { code, stderr } = await command('restore', 'backup.tgz');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Another Millrace process uses .+\n$/)]);
  });

  test('restores the keys and jobs that it contains, and keeps the previous database', async () => {
    await world.service.stop();
    const restored = await command('restore', 'backup.tgz');
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toMatch(/^The former database is in .+database\.replaced-\d+\. /m);
    world = await start();
    expect(namesOf(await keys())).toContain('before');
    expect(namesOf(await keys())).not.toContain('after');
    // The service now listens on another port.
    const file = await fetch(new URL(new URL(done.output?.url ?? '').pathname, world.service.url));
    expect([file.status, (await file.bytes()).length]).toEqual([200, done.output?.size]);
  });

  test('is written while the service is stopped', async () => {
    await world.service.stop();
    const before = await readFile(backup);
    expect(await command('backup', 'backup.tgz')).toMatchObject({ code: 0, stderr: '' });
    expect(before.equals(await readFile(backup))).toBe(false);
  });
});

describe('restore', () => {
  // The tests above have stopped the service.
  afterAll(async () => {
    world = await start();
    expect(namesOf(await keys())).toContain('before');
  });

  test.each([
    ['missing', undefined],
    ['cut off', 'half'],
    ['another archive', gzipSync('something else')],
  ])('refuses a backup that is %s, and changes nothing', async (name, content) => {
    const path = join(folder.path, `${name}.tgz`);
    const whole = await readFile(backup);
    if (content !== undefined)
      await writeFile(path, content === 'half' ? whole.subarray(0, whole.length / 2) : content);
    const before = (await readdir(data)).toSorted();
    const { code, stderr } = await command('restore', `${name}.tgz`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be restored, and nothing was changed: .+\n$/)]);
    expect((await readdir(data)).toSorted()).toEqual(before);
  });
});

test('explains why it refuses a missing folder and a PostgreSQL server', async () => {
  const { stderr } = await command('backup', join('nowhere', 'backup.tgz'));
  expect(stderr).toMatch(/^The folder .+nowhere for the backup does not exist\.\n$/);
  const server = await millrace(['backup', 'x.tgz'], { env: { DATABASE_URL: 'postgres://x/y' }, cwd: folder.path });
  expect([server.code, server.stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
});

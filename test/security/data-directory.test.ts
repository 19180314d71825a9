/** @module-tag long */

import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { putEmptyDatabase } from '../support/empty-database.ts';
import { describeJob, post, run, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { canActAsOther, NOBODY, ROOT, reachableByOther } from '../support/ordinary-user.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { storedFiles } from '../support/stored-files.ts';

const lab = inject('labUrl');
/** These tests concern the embedded database and the folder of files. */
const embedded = { DATABASE_URL: '', STORAGE_URL: '' };
const sound = () => ({ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' });

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  // Other users can get as far as the data directory.
  await chmod(folder.path, 0o711);
});
afterAll(() => folder.delete());

/** Returns the permissions for group and others of anything below a folder. */
function openBelow(path: string): string[] {
  const openPaths = execFileSync('find', [path, '!', '-type', 'l', '-perm', '/077'], { encoding: 'utf8' });
  return openPaths.split('\n').filter((line) => line !== '');
}

describe('a data directory that everybody may read and write', () => {
  let data: string;
  let service: RunningProcess;

  beforeAll(async () => {
    data = join(folder.path, 'open');
    await putEmptyDatabase(data);
    await mkdir(join(data, 'files', 'ab'), { recursive: true });
    execFileSync('chmod', ['-R', 'a+rwX', data]);
    await chmod(data, 0o777);
    service = await startService(lab, data, embedded);
  });
  afterAll(() => service.kill());

  test('is restricted at the start, with the database and all other files', () => {
    // The database engine sets the modes of its files itself, and children that run as other users read the engine's
    // code. Only the mode of the containing folder counts.
    const closed = ['database', 'engine'].map((name) => join(data, name));
    const open = openBelow(data);
    expect(open.filter((path) => !closed.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
  });

  test('restricts the files of a job', async () => {
    const { status } = await run(service.url, describeJob('convert_format', [sound()], 'm4a'));
    expect(status).toBe('done');
    const files = await storedFiles(join(data, 'files'));
    expect(files).toHaveLength(1);
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('keeps its permissions when a second start with it is refused, so that jobs still run', async () => {
    const engineCode = [join(data, 'engine'), '-name', '*.pl', '-printf', '%p %m %C@\n'];
    const state = () => execFileSync('find', engineCode, { encoding: 'utf8' });
    const before = state();
    await expect(startService(lab, data, embedded)).rejects.toThrow(/Another Millrace process uses .* Stop it/);
    expect(state()).toBe(before);
    const { status } = await run(service.url, describeJob('convert_format', [sound()], 'm4a'));
    expect(status).toBe('done');
  });

  test('lets no other user read or write anything', async ({ skip }) => {
    skip(!canActAsOther(), 'only root can act as another user');
    expect(await reachableByOther(data)).toEqual([]);
  });
});

test('files of other programs in the data directory stay unchanged, and the service puts its data in a private folder', async () => {
  const data = join(folder.path, 'shared');
  await mkdir(join(data, 'theirs'), { recursive: true });
  await chmod(data, 0o777);
  await putEmptyDatabase(join(data, 'private'));
  execFileSync('chmod', ['-R', 'a+rwX', join(data, 'private')]);
  const service = await startService(lab, data, embedded);
  try {
    expect(await readdir(data)).toEqual(['private', 'theirs']);
    expect((await stat(data)).mode & 0o777).toBe(0o777);
    expect((await stat(join(data, 'private'))).mode & 0o777).toBe(0o700);
    if (canActAsOther()) expect(await reachableByOther(join(data, 'private'))).toEqual([]);
    const started = await post<StartedJob>(
      `${service.url}/api/v1/render/execute`,
      describeJob('no_process', [sound()], 'm4a'),
    );
    expect(started.status).toBe(202);
  } finally {
    await service.kill();
  }
});

test.runIf(ROOT)('a database that other users could still read is refused, with a solution', async () => {
  const data = join(folder.path, 'refused');
  await putEmptyDatabase(data);
  await chmod(data, 0o1777);
  await mkdir(join(data, 'theirs'));
  await mkdir(join(data, 'worker'));
  await chown(join(data, 'database'), NOBODY, NOBODY);
  await expect(startService(lab, data, embedded)).rejects.toThrow(
    /Other users can read or change the database: .* belongs to user 65534 .*chown -R/s,
  );
});

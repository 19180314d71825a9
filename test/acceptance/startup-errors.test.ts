/** @module-tag long */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putEmptyDatabase } from '../support/empty-database.ts';
import { environmentOf } from '../support/environment.ts';
import { freePort } from '../support/free-port.ts';
import { asOrdinaryUser, NOBODY, ordinaryUserCanRunCheckout, ROOT } from '../support/ordinary-user.ts';

/** Root can write to read-only places, so another user starts the service. */
const canRefuse = ordinaryUserCanRunCheckout();
if (!canRefuse) process.stderr.write('Tests of refused starts are skipped: no other user can run this checkout.\n');

let root: string;
beforeAll(async () => {
  // Below /tmp, which users other than root can enter.
  root = await mkdtemp('/tmp/millrace-start-');
  await chmod(root, 0o755);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/**
 * Starts the service as a user without privileges, and waits until it has ended.
 *
 * @param until Text in the log after which the service is sent SIGTERM; default: it must end by itself.
 * @returns Standard error if the service has ended by itself, otherwise the log.
 */
async function start(settings: Readonly<Record<string, string>>, until?: string) {
  const [file = '', ...args] = [...asOrdinaryUser, process.execPath, 'dist/bin/service.js'];
  const env = environmentOf({ PORT: String(await freePort()), DATABASE_URL: '', STORAGE_URL: '', ...settings });
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 });
  child.stdout.on('data', (chunk: Buffer) => {
    if (until !== undefined && chunk.toString().includes(until)) child.kill();
  });
  const [log, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output: until === undefined ? errors : log + errors, code };
}

async function folderOf(name: string, mode: number): Promise<string> {
  const path = join(root, name);
  await mkdir(path);
  if (ROOT) await chown(path, NOBODY, NOBODY);
  await chmod(path, mode);
  return path;
}

describe.runIf(canRefuse)('a failed start prints one line with the reason and a solution', () => {
  test('for a data directory that is not writable', async () => {
    const path = await folderOf('read-only', 0o555);
    const { output, code } = await start({ DATA_DIR: path });
    expect(code).toBe(1);
    expect(output).toMatch(/^The service cannot write its data to .+read-only: .+Make it writable .+\n$/);
  });

  test('for a file at the path of the data directory', async () => {
    const path = join(await folderOf('parent', 0o755), 'data');
    await writeFile(path, '');
    const { output, code } = await start({ DATA_DIR: path });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^The service cannot write its data to .+data: a file with that name already exists\. .+\n$/,
    );
  });

  test('for a lock file that is a folder', async () => {
    const path = await folderOf('locked', 0o700);
    await mkdir(join(path, 'lock'));
    const { output, code } = await start({ DATA_DIR: path });
    expect(code).toBe(1);
    expect(output).toMatch(/^\/.+\/lock cannot be locked: .+Delete it.+\n$/);
  });

  test('for a port that another program uses', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const path = await folderOf('port', 0o700);
    await putEmptyDatabase(path);
    if (ROOT) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, path]);
    const { output, code } = await start({ DATA_DIR: path, HOST: '127.0.0.1', PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`The service cannot listen on port ${port} of 127.0.0.1: another program uses it.`);
    expect(output).not.toMatch(/^ +at /m);
    expect(output).not.toContain('new keys');

    // Keys made by a failed start would be lost.
    const next = await start({ DATA_DIR: path, HOST: '127.0.0.1' }, 'new keys were created');
    expect(next).toMatchObject({ code: 0, output: expect.not.stringMatching(/mr_[xr]_/) });
    expect(await readFile(join(path, 'first-keys'), 'utf8')).toMatch(/mr_x_.+\n.*mr_r_/);
  });

  test.runIf(ROOT)('for a missing data directory on a read-only file system', async () => {
    const path = await folderOf('read-only-disk', 0o755);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', path]);
    try {
      const { output, code } = await start({ DATA_DIR: join(path, 'of', 'millrace') });
      expect(code).toBe(1);
      expect(output).toMatch(/^The service cannot write its data to .+millrace: its file system is read-only .+\n$/);
    } finally {
      execFileSync('umount', [path]);
    }
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAsOrdinaryUser } from '../../test/support/ordinary-user.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const MODULE = JSON.stringify(new URL('./temporary-folder.ts', import.meta.url).href);
let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'millrace-scratch-'));
  vi.stubEnv('TMPDIR', parent);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(parent, { recursive: true, force: true });
});

/** Starts a process that creates a temporary folder and keeps running. */
async function otherProcess() {
  const code = `import { makeTemporaryFolder } from ${MODULE}; console.log(makeTemporaryFolder('some-').path); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return {
    path: String(line).trim(),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('creates a folder that only its user can access, and deletes it', async () => {
  const scratch = makeTemporaryFolder('some-');
  expect(basename(scratch.path)).toMatch(/^some-/);
  expect(statSync(scratch.path).mode & 0o777).toBe(0o700);
  await writeFile(join(scratch.path, 'file'), '');
  await scratch.remove();
  expect(await readdir(parent)).toEqual([]);
});

test('keeps the folder of a live process and removes that of a killed one', async () => {
  const other = await otherProcess();
  await makeTemporaryFolder('some-').remove();
  expect(existsSync(other.path)).toBe(true);
  await other.kill();
  await makeTemporaryFolder('some-').remove();
  expect(await readdir(parent)).toEqual([]);
});

test('keeps a folder that another program created', async () => {
  await mkdir(join(parent, 'some-1-folder'));
  await makeTemporaryFolder('some-').remove();
  expect(await readdir(parent)).toEqual(['some-1-folder']);
});

test('ignores leftovers of other users and those that cannot be removed', (context) => {
  const folders = runAsOrdinaryUser<string[]>(`
    import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
    import { makeTemporaryFolder } from ${MODULE};
    const parent = mkdtempSync('/tmp/millrace-scratch-');
    process.env.TMPDIR = parent;
    for (const [name, mode] of [['some-1-closed', 0], ['some-2-readable', 0o555]]) {
      mkdirSync(parent + '/' + name);
      writeFileSync(parent + '/' + name + '/lock', '');
      chmodSync(parent + '/' + name, mode);
    }
    await makeTemporaryFolder('some-').remove();
    console.log(JSON.stringify(readdirSync(parent)));
    for (const name of readdirSync(parent)) chmodSync(parent + '/' + name, 0o700);
    rmSync(parent, { recursive: true });`);
  if (folders === undefined) context.skip('the tests run as root, and no other user can read this folder');
  expect(folders).toEqual(['some-1-closed', 'some-2-readable']);
});

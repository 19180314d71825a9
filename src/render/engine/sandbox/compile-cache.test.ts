import { spawnSync } from 'node:child_process';
import { readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testDirectory } from '../testing/media.ts';
import { createCompileCache } from './compile-cache.ts';
import { childUser } from './users.ts';

function make() {
  const directory = testDirectory();
  onTestFinished(directory.remove);
  const program = directory.file('program.mjs');
  writeFileSync(program, "import './module.mjs';");
  writeFileSync(directory.file('module.mjs'), 'export const answer = 42;');
  const run = (path: string) =>
    spawnSync(process.execPath, [program], { env: { NODE_COMPILE_CACHE: path, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' } });
  return { cache: createCompileCache(directory.path), run };
}

it('has the first child compile for those that follow, who cannot write', () => {
  const { cache, run } = make();
  const first = cache.folderFor(undefined);
  run(first.path);
  cache.keep(first.path);
  const second = cache.folderFor(undefined);
  expect([first.writable, second.writable]).toEqual([true, false]);
  expect(run(second.path).stderr.toString()).toMatch(/cache for .*module\.mjs.* was accepted/);
});

it('is found by a child that runs as a user of its own', () => {
  const { cache, run } = make();
  const first = cache.folderFor(undefined);
  run(first.path);
  cache.keep(first.path);
  const user = childUser(7);
  const { path, folders } = cache.folderFor(user);
  const [name = ''] = readdirSync(path);
  expect(name).toMatch(new RegExp(`-${user}$`));
  const leadsTo = realpathSync(join(path, name));
  expect(folders.some((folder) => leadsTo.startsWith(`${realpathSync(folder)}/`))).toBe(true);
  for (const file of readdirSync(leadsTo)) expect(statSync(join(leadsTo, file)).mode & 0o004).toBe(0o004);
});

import { existsSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { arch, platform } from 'node:process';
import { expect, test } from 'vitest';
import { thirdPartyPackages } from './third-party-packages.ts';

/** Size that `npm ci --omit=dev` may have, in MiB as `du -sm` counts them. */
const BUDGET = 475;

const root = new URL('../../', import.meta.url);
const packages = await thirdPartyPackages(root);

test('a production install contains no package of the WebRTC tree and none of the devDependencies', async () => {
  const { devDependencies } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const names = new Set(packages.map(({ name }) => name));
  expect([...names].filter((name) => name.startsWith('werift') || name.startsWith('@peculiar/'))).toEqual([]);
  // Tests use these packages, and dependencies of the service need them anyway.
  const shared = ['ajv', 'ajv-formats', 'ws'];
  expect(Object.keys(devDependencies).filter((name) => names.has(name) && !shared.includes(name))).toEqual([]);
});

test.skipIf(platform !== 'linux' || arch !== 'x64')('a production install stays within its budget', async () => {
  const installed = packages.map(({ folder }) => new URL(`${folder}/`, root)).filter((folder) => existsSync(folder));
  const sizes = await Promise.all(installed.map(diskUse));
  expect(sizes.reduce((sum, size) => sum + size) / 2 ** 20).toBeLessThanOrEqual(BUDGET);
});

/** Returns the space on disk that a package occupies, in bytes, without the packages inside it. */
async function diskUse(folder: URL): Promise<number> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name !== 'node_modules');
  const sizes = entries.map((entry) =>
    entry.isDirectory() ? diskUse(new URL(`${encodeURIComponent(entry.name)}/`, folder)) : blocks(entry.name, folder),
  );
  return (await Promise.all([blocks('.', folder), ...sizes])).reduce((sum, size) => sum + size);
}

async function blocks(name: string, folder: URL): Promise<number> {
  return (await lstat(new URL(encodeURIComponent(name), folder))).blocks * 512;
}

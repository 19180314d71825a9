import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildStage, layersOf } from './build-stage.ts';
import { sizeOf } from './size-of.ts';

const root = new URL('../../', import.meta.url);
const dockerfile = await readFile(new URL('deploy/Dockerfile', root), 'utf8');

test('the image has the version of Node that npm installs', async () => {
  const { optionalDependencies } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const [, version] = /^FROM node:([\d.]+)-/m.exec(dockerfile) ?? [];
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
  expect(layersOf(dockerfile)).toContain('/usr/local/bin/node');
});

test('the steps of the first stage run in a folder, and later stages do not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-image-'));
  const steps = [
    'FROM one AS packages',
    'COPY LICENSE .npmrc a/',
    'COPY docs/images b',
    'RUN printf 12 > c \\',
    ' && cat c c > d',
    'FROM two',
    'RUN touch e',
  ];
  try {
    await buildStage(steps.join('\n'), root, folder);
    expect(await readFile(join(folder, 'd'), 'utf8')).toBe('1212');
    expect(await sizeOf(join(folder, 'a'))).toBe(
      (await readFile(new URL('LICENSE', root))).length + (await readFile(new URL('.npmrc', root))).length,
    );
    expect(await sizeOf(join(folder, 'b'))).toBe(await sizeOf(new URL('docs/images', root).pathname));
    await expect(readFile(join(folder, 'e'))).rejects.toThrow('ENOENT');
  } finally {
    await rm(folder, { recursive: true });
  }
});

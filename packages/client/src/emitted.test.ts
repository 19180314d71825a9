import { execFile } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;
let client: string;
let platforms: string;

/** Emits the client alone as a build does; types are checked elsewhere. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-client-'));
  const config = {
    extends: join(root, 'tsconfig.client.json'),
    compilerOptions: {
      outDir: join(folder, 'all'),
      rootDir: root,
      noCheck: true,
      declaration: false,
      types: [],
    },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  // Nothing but the client itself, and the links of platforms, goes where it is tried.
  client = join(folder, 'packages/client/src');
  platforms = join(folder, 'src/platforms');
  await cp(join(folder, 'all/packages/client/src'), client, { recursive: true });
  await cp(join(folder, 'all/src/platforms'), platforms, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('imports nothing but itself and the links of platforms', async () => {
  const imported: string[] = [];
  for await (const file of glob('{packages,src}/**/*.js', { cwd: folder })) {
    const code = await readFile(join(folder, file), 'utf8');
    for (const [, from = ''] of code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      imported.push(from.startsWith('.') ? relative(folder, resolve(folder, dirname(file), from)) : from);
    }
  }
  const allowed = /^(?:packages\/client\/src\/[\w-]+|src\/platforms\/(?:link|links|\w+\/links))\.js$/;
  expect(imported).toContain('src/platforms/youtube/links.js');
  expect(imported.filter((from) => !allowed.test(from))).toEqual([]);
});

it('runs under plain Node, without anything around it', async () => {
  const program = `
    import { createClient, recogniseLink } from './packages/client/src/index.js';
    const { p1, renders } = createClient({ url: 'http://127.0.0.1:8080' });
    console.log(typeof p1.search.video, typeof renders.finish, recogniseLink('https://youtu.be/dQw4w9WgXcQ').platform);
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
  expect(stdout.trim()).toBe('function function p1');
});

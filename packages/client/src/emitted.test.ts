import { execFile } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const paths = 'src/contract/render-api/paths.js';
let folder: string;
let client: string;

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
  // Nothing but the client itself goes where it is tried, and the paths of the contract.
  client = join(folder, 'packages/client/src');
  await cp(join(folder, 'all/packages/client/src'), client, { recursive: true });
  await cp(join(folder, 'all', paths), join(folder, paths));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('imports nothing but itself and the paths of the contract', async () => {
  const imported: string[] = [];
  for await (const file of glob('**/*.js', { cwd: client })) {
    const code = await readFile(join(client, file), 'utf8');
    for (const [, from = ''] of code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      imported.push(from.startsWith('.') ? relative(client, resolve(client, dirname(file), from)) : from);
    }
  }
  expect(imported).toContain('links/site.js');
  const others = imported.filter((from) => from.startsWith('..') || !from.endsWith('.js'));
  expect(new Set(others)).toEqual(new Set([`../../../${paths}`]));
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

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPostgres } from './find-postgres.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-find-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function install(place: string, programs: readonly string[]): Promise<string> {
  const at = join(folder, place);
  await mkdir(at, { recursive: true });
  for (const program of programs) {
    await writeFile(join(at, program), '');
    await chmod(join(at, program), 0o755);
  }
  return at;
}

const both = ['initdb', 'postgres'];

test('prefers the server in PATH', async () => {
  const own = await install('own', both);
  const tools = await install('tools', ['psql']);
  await install('debian/17/bin', both);
  expect(await findPostgres([tools, own].join(delimiter), join(folder, 'debian'))).toBe(own);
});

test("otherwise returns Debian's newest version with a server, and ignores versions with only the client", async () => {
  await install('debian/9.6/bin', both);
  const newest = await install('debian/17/bin', both);
  await install('debian/18/bin', ['psql', 'initdb']);
  expect(await findPostgres('', join(folder, 'debian'))).toBe(newest);
});

test('returns undefined without a server', async () => {
  expect(await findPostgres(await install('tools', ['psql']), join(folder, 'debian'))).toBeUndefined();
});

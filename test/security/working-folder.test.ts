import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { millrace } from '../support/command-line.ts';
import { putEmptyDatabase } from '../support/empty-database.ts';
import { environmentOf } from '../support/environment.ts';
import { temporaryFolder } from '../support/processes.ts';

/** Receives what a command sends elsewhere. */
let sink: Server;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let received: string[];
let stolen: string;

const token = 'token-of-the-operator';
const env = { EGRESS_CONNECT_TO: `*=${inject('labUrl')}`, ADMIN_TOKEN: token };

beforeAll(async () => {
  sink = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{"keys":[],"nodes":[]}');
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  folder = await temporaryFolder();
  stolen = `ADMIN_HOST=127.0.0.1\nADMIN_PORT=${(sink.address() as AddressInfo).port}\n`;
});
afterAll(async () => {
  sink.close();
  await folder.delete();
});
beforeEach(() => {
  received = [];
});

const run = (words: readonly string[], more: Record<string, string> = {}) =>
  millrace(words, { env: { ...env, ...more }, cwd: folder.path });
const file = () => join(folder.path, '.env');

describe('a .env in the working folder', () => {
  test.each([[['keys', 'list']], [['admin', 'nodes', 'list']], [['backup', 'none/backup.tgz']]])(
    'does not select the receiver of the admin token for %j',
    async (words) => {
      await writeFile(file(), stolen);
      const { code, stderr } = await run(words);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `Not used: ADMIN_HOST, ADMIN_PORT in ${file()}. If you trust this file, add --settings .env.`,
      );
      expect(received).toEqual([]);
    },
  );

  test.each([
    [['info', 'lab-min-002']],
    [['search', 'bridges', '--limit', '1']],
    [['keys', 'list']],
    [['backup', 'none/backup.tgz']],
    [['restore', 'none.tgz']],
  ])('sets nothing for %j', async (words) => {
    // A command that read the file would report the invalid values.
    const page = await readFile('docs/reference/settings.md', 'utf8');
    const names = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
    expect(names).toContain('EGRESS_PROXIES');
    await writeFile(file(), names.map((name) => `${name}=\u0001\n`).join(''));
    const { code, stderr } = await run(words);
    expect(stderr).toContain('Not used: ');
    expect(stderr).not.toContain('invalid');
    expect(code).toBe(words[0] === 'info' || words[0] === 'search' ? 0 : 1);
  });

  test('is used if --settings names it, and the environment takes precedence', async () => {
    await writeFile(file(), `${stolen}ADMIN_TOKEN=token-of-the-file\n`);
    expect(await run(['keys', 'list', '--settings', '.env'])).toMatchObject({ code: 0, stderr: '' });
    expect(received).toEqual([`GET /admin/keys Bearer ${token}`]);
    const { stderr } = await run(['keys', 'list', '--settings', '.env'], { ADMIN_PORT: '0' });
    expect(stderr).toContain('Set ADMIN_PORT and ADMIN_TOKEN to those of the service');
  });

  test('is left alone if it is a FIFO, which could make a command wait', async () => {
    await rm(file());
    execFileSync('mkfifo', [file()]);
    expect((await run(['keys', 'list'])).stderr).toMatch(/^Set ADMIN_PORT and ADMIN_TOKEN/);
    const { code, stderr } = await run(['keys', 'list', '--settings', '.env']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The file .env of --settings cannot be read.')]);
    await rm(file());
    const missing = await run(['keys', 'list', '--settings', '.env']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('does not exist')]);
  });

  test('configures the service, which logs the path and the names of the settings, but no value', {
    tags: ['long'],
  }, async () => {
    await writeFile(file(), `PORT=0\nADMIN_TOKEN=${token}\nNODE_OPTIONS=--require=./none.cjs\nLOG_FORMAT=json\n`);
    await putEmptyDatabase(join(folder.path, 'data'));
    const child = spawn(process.execPath, [resolve('dist/bin/service.js')], {
      cwd: folder.path,
      env: environmentOf({ LOG_FORMAT: 'json' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let log = '';
    for await (const chunk of child.stdout) {
      log += chunk;
      if (log.includes('Millrace is ready')) child.kill();
    }
    expect(log).toContain(`"file":"${file()}","settings":["PORT","ADMIN_TOKEN"]`);
    expect(log).not.toContain(token);
  });
});

test('only the service reads .env by itself: commands read the file of --settings', async () => {
  const sources = (await readdir('src', { recursive: true })).filter((path) => /(?<!\.test)\.ts$/.test(path));
  const readers = sources.filter((path) =>
    /readEnvFile\(|parseEnv\(|loadEnvFile/.test(readFileSync(join('src', path), 'utf8')),
  );
  expect(readers.toSorted()).toEqual([
    'cli/service/command-settings.ts',
    'files/env-file.ts',
    'process/service-settings.ts',
  ]);
});

/** @module-tag long */

import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { openEmbeddedDatabase } from '../../database/embedded/embedded-database.ts';
import { putEmptyDatabase } from '../../database/testing/test-database.ts';
import { skewFinding } from './clock.ts';
import { checkData } from './data-folder.ts';
import { checkDatabase } from './database.ts';
import { checkEngine } from './engine.ts';
import { messageOf } from './finding.ts';
import { checkRuntime } from './node-version.ts';
import { checkPorts } from './ports.ts';
import { checkStorage } from './storage-access.ts';

const { signal } = new AbortController();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-doctor-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const config = (settings: Record<string, string> = {}) => readConfig({ DATA_DIR: folder, ...settings });

test('checkEngine converts a file and reads it back', async () => {
  const [engineFinding, ...isolation] = await checkEngine(config(), signal);
  expect(engineFinding).toMatchObject({
    state: 'fine',
    what: expect.stringMatching(/to aac and read it back in \d+ ms/),
  });
  expect(isolation.length).toBeGreaterThan(0);
  for (const { state, mend } of isolation) expect(state === 'fine' || mend !== undefined).toBe(true);
});

describe('checkData', () => {
  test('is fine if there is enough space', async () => {
    expect(await checkData(config(), signal)).toMatchObject([
      { check: 'data folder', what: expect.stringContaining('writable') },
    ]);
  });

  test('accepts a folder that does not exist yet', async () => {
    const findings = await checkData(config({ DATA_DIR: join(folder, 'a', 'b') }), signal);
    expect(findings[0]?.what).toContain(`does not exist yet; ${folder} does`);
  });

  test("notes other users' access, which the next start removes", async () => {
    const at = join(folder, 'open');
    await mkdir(join(at, 'database'), { recursive: true });
    await chmod(at, 0o777);
    const findings = await checkData(config({ DATA_DIR: at }), signal);
    expect(findings).toContainEqual(
      expect.objectContaining({ state: 'note', mend: expect.stringMatching(/next start restricts/) }),
    );
    expect((await stat(at)).mode & 0o777).toBe(0o777);
  });

  test('reports the private folder if the data folder is shared with others', async () => {
    const at = join(folder, 'shared');
    await mkdir(join(at, 'theirs'), { recursive: true });
    await mkdir(join(at, 'private', 'database'), { recursive: true, mode: 0o700 });
    await mkdir(join(at, 'database'));
    await chmod(at, 0o755);
    const findings = await checkData(config({ DATA_DIR: at }), signal);
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringContaining('is writable'),
      expect.stringContaining(`the data is in ${join(at, 'private')}`),
      expect.stringContaining('database in'),
    ]);
  });
});

test.each([
  [0, 10, 'fine', /agrees/],
  [59_000, 10, 'fine', /agrees/],
  [90_000, 40_000, 'fine', /agrees/],
  [120_000, 1000, 'wrong', /119 s behind/],
  [-120_000, 1000, 'wrong', /119 s ahead/],
])('skewFinding judges a difference of %d ms with a round trip of %d ms', (difference, roundTrip, state, what) => {
  expect(skewFinding('the database', difference, roundTrip)).toMatchObject({
    state,
    what: expect.stringMatching(what),
  });
});

describe('checkPorts', () => {
  test('distinguishes free ports, ports that Millrace uses and ports that other programs use', async () => {
    const answers = { text: '{"status":"ok"}' };
    const server = createServer((_request, response) => response.end(answers.text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const PORT = String(typeof address === 'object' ? address?.port : 0);
    expect(await checkPorts(config({ PORT }), signal)).toMatchObject(
      [{ state: 'fine', what: /Millrace service is running/ }].map(matching),
    );
    answers.text = 'somebody else';
    expect(await checkPorts(config({ PORT }), signal)).toMatchObject(
      [{ state: 'wrong', mend: /another port/ }].map(matching),
    );
    server.close();
    await once(server, 'close');
    expect(await checkPorts(config({ PORT }), signal)).toMatchObject(
      [{ state: 'fine', what: /is free/ }].map(matching),
    );
  });

  test('accepts any free port, and rejects a host that is not local', async () => {
    expect(await checkPorts(config({ PORT: '0' }), signal)).toMatchObject([{ state: 'fine' }]);
    const findings = await checkPorts(config({ HOST: '192.0.2.1', PORT: '8080' }), signal);
    expect(findings).toMatchObject([{ state: 'wrong', mend: /HOST/ }].map(matching));
  });
});

function matching(finding: Record<string, string | RegExp>) {
  return Object.fromEntries(
    Object.entries(finding).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );
}

test('a missing database and store are fine before the first start', async () => {
  expect(await checkDatabase(config(), signal)).toMatchObject([{ state: 'fine', what: /embedded/ }].map(matching));
  expect(await checkStorage(config(), signal)).toMatchObject([{ state: 'fine', what: /first start/ }].map(matching));
});

test('checkDatabase opens a copy of the embedded database and changes nothing', async () => {
  const at = join(folder, 'embedded');
  await putEmptyDatabase(at);
  const database = await openEmbeddedDatabase(at, pino({ level: 'silent' }));
  const here = config({ DATA_DIR: at });
  expect(await checkDatabase(here, signal)).toMatchObject(
    [{ state: 'fine', what: /in use by a running/ }].map(matching),
  );
  await database.close();
  expect(await checkDatabase(here, signal)).toMatchObject([{ state: 'fine', what: /responds/ }].map(matching));
  await writeFile(join(at, 'database', 'PG_VERSION'), '16\n');
  expect(await checkDatabase(here, signal)).toMatchObject(
    [{ state: 'wrong', what: /version 16/, mend: /do not replace it/ }].map(matching),
  );
  await writeFile(join(at, 'database', 'PG_VERSION'), 'rubbish');
  const before = await readdir(at);
  expect(await checkDatabase(here, signal)).toMatchObject([{ state: 'wrong', mend: /no snapshot/ }].map(matching));
  expect(await readdir(at)).toEqual(before);
});

test('checkDatabase reports a damaged or missing embedded database, and what happens next', async () => {
  const at = join(folder, 'damaged');
  await mkdir(join(at, 'database', 'base'), { recursive: true });
  const findings = () => checkDatabase(config({ DATA_DIR: at }), signal);
  const what = /PG_VERSION is missing/;
  expect(await findings()).toMatchObject(
    [{ state: 'wrong', what, mend: /no snapshot .+ does not start/ }].map(matching),
  );
  await writeFile(join(at, 'database.snapshot.tgz'), '');
  expect(await findings()).toMatchObject([{ state: 'wrong', what, mend: /restores its last snapshot/ }].map(matching));
  await rm(join(at, 'database'), { recursive: true });
  const lostDatabase = {
    state: 'wrong',
    what: /no embedded database .+ but there is a snapshot/,
    mend: /mount it.+millrace restore .+\.tgz/,
  };
  expect(await findings()).toMatchObject([lostDatabase].map(matching));
  await mkdir(join(at, 'database.replacement'));
  expect(await findings()).toMatchObject([{ state: 'note', what: /restore .+ was interrupted/ }].map(matching));
});

test('checkDatabase reports a server that does not respond', async () => {
  const findings = await checkDatabase(config({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' }), signal);
  expect(findings).toMatchObject([{ state: 'wrong', mend: /DATABASE_URL/ }].map(matching));
});

test('checkRuntime accepts this Node', async () => {
  expect(await checkRuntime()).toMatchObject([{ state: 'fine' }]);
});

test('messageOf includes the causes of an error', () => {
  expect(messageOf(new Error('a', { cause: new Error('b') }))).toBe('a (b)');
  expect(messageOf('x')).toBe('x');
});

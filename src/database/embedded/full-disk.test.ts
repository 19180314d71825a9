/** @module-tag long */

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { putEmptyDatabase } from '../../../test/support/empty-database.ts';

/** Fills the disk as soon as the log needs another segment. */
const fullForLog = `path.includes('xlogtemp') ? 'ENOSPC' : undefined`;

/**
 * Runs a statement up to a thousand times on a database in its own process.
 *
 * @param refusal An expression with the error code that opening the file at `path` fails with, or undefined.
 */
async function runWithout(refusal: string, statement: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-full-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await putEmptyDatabase(folder);
  const module = JSON.stringify(new URL('./embedded-database.ts', import.meta.url).href);
  const program = `import fs from 'node:fs';
    import os from 'node:os';
    import { pino } from 'pino';
    import { openEmbeddedDatabase } from ${module};
    const database = await openEmbeddedDatabase(${JSON.stringify(folder)}, pino({ level: 'silent' }));
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      const code = ((path) => ${refusal})(String(path));
      if (code === undefined) return openSync(path, ...rest);
      throw Object.assign(new Error(code + ': injected, open'), { code, errno: -os.constants.errno[code], syscall: 'open' });
    };
    for (let turn = 0; turn < 1000; turn += 1) await ${statement}.catch(() => undefined);`;
  const { status, signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  return { status, signal, stderr };
}

test.each([
  [
    'a commit',
    `database.transaction((sql) => sql.query("select pg_logical_emit_message(true, '', repeat('x', 100000))"))`,
  ],
  ['a query', `database.query("select pg_logical_emit_message(true, '', repeat('x', 900000))")`],
])('the process ends and reports the reason when the disk is full during %s', async (_name, statement) => {
  const { status, signal, stderr } = await runWithout(fullForLog, statement);
  expect({ status, signal, stderr }).toEqual({
    status: 1,
    signal: null,
    stderr: expect.stringMatching(
      /cannot continue, so Millrace stops: ENOSPC: injected.+ Free space on .+is lost\.\n$/s,
    ),
  });
});

test('an earlier disk error is not reported as the reason', async () => {
  const { status, stderr } = await runWithout(
    `path.endsWith('pg_hba.conf') ? 'EIO' : path.includes('xlogtemp') ? 'ENOENT' : undefined`,
    `database.query("select pg_read_file('pg_hba.conf')")
      .catch((error) => console.error(error.message))
      .then(() => database.query("select pg_logical_emit_message(true, '', repeat('x', 900000))"))`,
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^could not open .+cannot continue, so Millrace stops: (?!EIO).+is lost\.\n$/s),
  });
});

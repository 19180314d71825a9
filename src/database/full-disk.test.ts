import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { putEmptyDatabase } from '../../test/support/empty-database.ts';

/** Runs a database in a process of its own, whose disk is full as soon as the log needs a further segment. */
async function runOnFullDisk(statement: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-full-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await putEmptyDatabase(folder);
  const module = JSON.stringify(new URL('./embedded.ts', import.meta.url).href);
  const program = `import fs from 'node:fs';
    import { pino } from 'pino';
    import { openEmbedded } from ${module};
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      if (!String(path).includes('xlogtemp')) return openSync(path, ...rest);
      const message = 'ENOSPC: no space left on device, open';
      throw Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'open' });
    };
    const database = await openEmbedded(${JSON.stringify(folder)}, pino({ level: 'silent' }));
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
])('the process ends, and says why, when the disk is full at %s', { timeout: 90_000 }, async (_name, statement) => {
  const { status, signal, stderr } = await runOnFullDisk(statement);
  expect({ status, signal, stderr }).toEqual({
    status: 1,
    signal: null,
    stderr: expect.stringMatching(
      /cannot continue, so Millrace ends: .+no space left.+ Free space on .+is lost\.\n$/is,
    ),
  });
});

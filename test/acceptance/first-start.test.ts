/** @module-tag long */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { environmentOf } from '../support/environment.ts';
import { freePort } from '../support/free-port.ts';
import { limitMemory } from '../support/memory-limit.ts';
import { temporaryFolder } from '../support/processes.ts';

const LIMIT_BYTES = 400e6;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  // The folder is on a disk, because files in an in-memory file system count as memory.
  folder = await temporaryFolder('data');
});
afterEach(() => folder.delete());

test('the first start and the next one each fit in 400 MB', async ({ skip }) => {
  const limit = limitMemory(LIMIT_BYTES);
  if (limit === undefined) return skip('memory cannot be limited here: that takes root and control groups');
  onTestFinished(() => limit.remove());
  for (const start of ['first', 'next']) {
    const port = String(await freePort());
    const [program, args] = limit.within(process.execPath, ['dist/bin/service.js']);
    const service = spawn(program, args, {
      env: environmentOf({ PORT: port, DATA_DIR: folder.path, HOST: '127.0.0.1', DRAIN_TIMEOUT: '1' }),
      stdio: 'ignore',
    });
    const exit = once(service, 'exit');
    try {
      const health = () =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          ({ status }) => status,
          () => undefined,
        );
      await expect.poll(health, { timeout: 540_000, message: `the ${start} start` }).toBe(200);
    } finally {
      service.kill('SIGTERM');
      await exit;
    }
    expect(limit.kills(), start).toBe(0);
  }
});

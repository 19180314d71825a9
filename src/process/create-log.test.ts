import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const module = new URL('create-log.ts', import.meta.url);

/** Runs a program whose log goes to standard output. Returns the output and the exit code. */
async function outputOf(format: string, work: string): Promise<string> {
  const program = `const { createLog } = await import('${module}');
    const log = await createLog({ level: 'info', format: ${format}, descriptor: 1 });
    ${work}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]).catch((error) => error);
  return stdout;
}

test('JSON lines have the names of levels and ISO times, and are written even if the process exits at once', async () => {
  const output = await outputOf('undefined', `log.info({ job: 'one' }, 'job done'); process.exit(3);`);
  expect(JSON.parse(output)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    pid: expect.any(Number),
    hostname: expect.any(String),
    job: 'one',
    msg: 'job done',
  });
});

test('the last lines before a crash are written', async () => {
  const output = await outputOf(`'json'`, `log.info('before'); throw new Error('crash');`);
  expect(output).toContain('"msg":"before"');
});

test('warnings are written at once, and other lines shortly afterwards', async () => {
  const work = `log.info('one'); log.warn('two'); log.info('three');
    setTimeout(() => { process.kill(process.pid, 'SIGKILL'); }, 200);`;
  const lines = (await outputOf(`'json'`, work)).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three']);
});

/** A program that logs for a while, and then exits with the code 3. */
const busyProgram = `const { createLog } = await import('${module}');
  const log = await createLog({ level: 'info', format: 'json', descriptor: 1 });
  let lines = 0;
  setInterval(() => { log.warn('line'); if (++lines > 20) process.exit(3); }, 10);`;

test('a log whose reader has ended does not stop the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', busyProgram], { timeout: 120_000 });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'exit')).toEqual([3, null]);
});

test.skipIf(process.platform !== 'linux')('a full disk of the log does not stop the process', async () => {
  const full = await open('/dev/full', 'w');
  const program = ['--input-type=module', '-e', busyProgram];
  const child = spawn(process.execPath, program, { timeout: 120_000, stdio: ['ignore', full.fd, 'ignore'] });
  expect(await once(child, 'exit')).toEqual([3, null]);
  await full.close();
});

test('the pretty form is for people', async () => {
  const output = await outputOf(`'pretty'`, `log.warn({ job: 'one' }, 'job failed');`);
  expect(output).toMatch(/WARN.*job failed.*"job":"one"/);
});

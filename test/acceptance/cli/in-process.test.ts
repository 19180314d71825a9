/** @module-tag long */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { inFolder, millrace, millraceProcess } from '../../support/command-line.ts';
import { putEmptyDatabase } from '../../support/empty-database.ts';
import { freePort } from '../../support/free-port.ts';
import { labFile } from '../../support/lab-client.ts';
import { inspect } from '../../support/media.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { millraceInTerminal } from '../../support/pseudo-terminal.ts';

let cwd: string;
let temp: string;
let remove: () => Promise<void>;
let env: Record<string, string>;

beforeEach(async () => {
  const folder = await temporaryFolder();
  const temporary = await temporaryFolder();
  [cwd, temp] = [folder.path, temporary.path];
  remove = async () => {
    await folder.delete();
    await temporary.delete();
  };
  env = { EGRESS_CONNECT_TO: `*=${inject('labUrl')}`, TMPDIR: temp };
});

afterEach(() => remove());

test('get downloads a file without a service and leaves nothing behind', async () => {
  const { code, stdout, stderr } = await millrace(['get', 'lab-min-002', '--quality', '360p'], { env, cwd });
  expect(stderr).toMatch(/^starting\nextracting\n[\s\S]*saving\nSaved /);
  expect(code, stderr).toBe(0);
  const { tracks } = await inspect(await readFile(inFolder(cwd, stdout)));
  expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
  expect([await readdir(cwd), await readdir(temp)]).toEqual([[stdout.trim()], []]);
});

test('get downloads several links without a service, and leaves nothing of those that fail', async () => {
  const words = ['get', 'lab-min-002', 'https://youtu.be/lab-med-403', 'https://www.dailymotion.com/video/xlab30'];
  const { code, stdout, stderr } = await millrace([...words, '--quality', 'worst', '--output', 'films/'], { env, cwd });
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(/2 of 3 done, 1 failed\.\n\[2\] /)]);
  expect(code).toBeGreaterThan(0);
  expect(stdout.trim().split('\n').toSorted()).toEqual(
    (await readdir(join(cwd, 'films'))).map((name) => `films/${name}`).toSorted(),
  );
  expect(await readdir(temp)).toEqual([]);
});

/**
 * Returns the options for a persistent data folder that already contains a database, so that the service need not
 * create one.
 */
async function listKeptData(): Promise<string[]> {
  await putEmptyDatabase(join(cwd, 'kept'));
  return ['--data', 'kept'];
}

test('info, search and transcript leave nothing behind, even with the settings of a service', async () => {
  const operator = {
    ...env,
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    STORAGE_URL: 's3://nowhere/x',
    ADMIN_PORT: '1',
    BASE_URL: 'https://millrace.example',
    MARKETPLACE_HOST: 'other.example',
  };
  for (const words of [
    ['info', 'lab-min-002', '--data', 'kept'],
    ['search', 'bridges', '--limit', '2'],
    ['transcript', 'lab-plain30'],
  ]) {
    const { code, stdout } = await millrace(words, { env: operator, cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\S/)]);
  }
  // These commands store no files.
  expect([await readdir(cwd), await readdir(temp)]).toEqual([[], []]);
});

test('render runs a job locally and downloads its file', async () => {
  const job = {
    inputs: [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }],
    output: { ext: 'm4a', downloadName: 'Only the sound' },
    operation: { type: 'extract_audio' },
  };
  const { code, stdout } = await millrace(['render', '-'], { env, cwd, input: JSON.stringify(job) });
  expect([code, stdout]).toEqual([0, 'Only the sound.m4a\n']);
  expect((await inspect(await readFile(join(cwd, 'Only the sound.m4a')))).tracks).toHaveLength(1);
  expect(await readdir(temp)).toEqual([]);
});

test('Ctrl-C ends the command and every process that it started', async () => {
  const run = millraceInTerminal(['get', 'https://youtu.be/lab-med-slo', '--quality', '720p', '-o', 'a.mp4'], {
    env,
    cwd,
  });
  await run.until(/rendering: fetching/);
  run.type('\u0003');
  expect(await run.ended()).toBe(130);
  expect([await readdir(cwd), await readdir(temp)]).toEqual([[], []]);
});

test('a killed download resumes, and the leftovers of the killed command are removed', async () => {
  const words = ['get', 'https://youtu.be/lab-med-slo', '--quality', 'audio', '-o', 'sound', '--json'];
  const bytesThere = async () => (await stat(join(cwd, 'sound.part')).catch(() => ({ size: 0 }))).size;
  const killed = await millraceProcess(words, {
    env,
    cwd,
    meanwhile: (kill) =>
      void expect
        .poll(bytesThere)
        .toBeGreaterThan(0)
        .then(() => kill('SIGKILL')),
  });
  const resumedFrom = await bytesThere();
  expect([killed.code, await readdir(temp)]).toEqual([null, [expect.stringMatching(/^millrace-cli-/)]]);
  const { code, stdout } = await millraceProcess(words, { env, cwd });
  expect([code, JSON.parse(stdout).files]).toEqual([0, [expect.objectContaining({ path: 'sound', resumedFrom })]]);
  expect([await readdir(cwd), await readdir(temp)]).toEqual([['sound'], []]);
});

test('a download stopped by Ctrl-C resumes with a persistent data folder', async () => {
  const dataLeft = await listKeptData();
  const words = ['get', 'https://youtu.be/lab-med-slo', '--quality', '144p', '-o', 'a.mp4', ...dataLeft];
  const run = millraceInTerminal(words, { env, cwd });
  await run.until(/rendering: fetching +[1-9]/);
  run.type('\u0003');
  expect(await run.ended()).toBe(130);
  expect((await readdir(cwd)).toSorted()).toEqual(['a.mp4.part.json', 'kept']);
  const { render } = JSON.parse(await readFile(join(cwd, 'a.mp4.part.json'), 'utf8'));
  const { code, stdout } = await millrace([...words, '--events'], { env, cwd });
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).job_id);
  expect([code, ids]).toEqual([0, expect.arrayContaining([render])]);
  expect((await inspect(await readFile(join(cwd, 'a.mp4')))).tracks).toHaveLength(2);
});

test('a link to an internal address is refused', async () => {
  const job = {
    inputs: [{ url: 'http://127.0.0.1:9/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'no_process' },
  };
  const { code, stderr } = await millrace(['render', '-'], { env, cwd, input: JSON.stringify(job) });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/127\.0\.0\.1|address/);
});

test('doctor reports what is fine and what is wrong', async () => {
  const DATA_DIR = join(cwd, 'data');
  const PORT = String(await freePort());
  const healthy = await millrace(['doctor'], { env: { ...env, DATA_DIR, PORT }, cwd });
  expect([healthy.code, healthy.stdout]).toEqual([0, expect.stringContaining('The service can run here.')]);
  for (const check of ['Node', 'settings', 'clock', 'data folder', 'database', 'storage', 'media engine', 'ports']) {
    expect(healthy.stdout).toMatch(new RegExp(`^(?:fine|note) +${check} `, 'm'));
  }
  expect(healthy.stdout).toMatch(/^fine +egress +without a proxy: all platforms respond$/m);
  expect(healthy.stdout).toMatch(/^fine +address guard /m);
  expect([await readdir(cwd), await readdir(temp)]).toEqual([[], []]);

  const notAFolder = join(temp, 'file');
  await writeFile(notAFolder, '');
  const settings = {
    ...env,
    DATA_DIR: notAFolder,
    PORT,
    EGRESS_PROXIES: 'fr=http://127.0.0.1:9',
    DATABASE_URL: 'postgresql://127.0.0.1:9/x',
  };
  const sick = await millrace(['doctor', '--json'], { env: settings, cwd });
  const { healthy: fine, findings } = JSON.parse(sick.stdout);
  expect([sick.code, fine]).toEqual([1, false]);
  const wrong = findings.filter(({ state }: { state: string }) => state === 'wrong');
  expect(wrong.map(({ check }: { check: string }) => check).toSorted()).toEqual([
    'data folder',
    'database',
    'egress',
    'storage',
  ]);
  for (const { mend } of wrong) expect(mend).toMatch(/\S/);

  const unset = await millrace(['doctor'], { env: { ...env, PORT: 'many' }, cwd });
  expect([unset.code, unset.stdout]).toEqual([1, expect.stringMatching(/^WRONG +settings +.*PORT must be/m)]);
});

test('serve runs the service until it is stopped', async () => {
  const port = await freePort();
  await putEmptyDatabase(join(cwd, 'data'));
  const run = millraceInTerminal(['serve'], { env: { ...env, PORT: String(port), DATA_DIR: join(cwd, 'data') }, cwd });
  await run.until(/Millrace is ready/);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  run.type('\u0003');
  expect(await run.ended()).toBe(0);
});

test('lab runs the lab until it is stopped', async () => {
  const run = millraceInTerminal(['lab', '--port', '0'], {
    env: { ...env, LAB_CACHE: join(process.cwd(), 'data', 'lab') },
    cwd,
  });
  await run.until(/"event":"ready"/);
  run.type('\u0003');
  expect(await run.ended()).toBe(0);
});

/** @module-tag long */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchThrough } from './testing.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));
let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lab-main-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(settings: Readonly<Record<string, string>>) {
  const lab = spawn(process.execPath, [program], {
    env: { LAB_PORT: '0', LAB_CACHE: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = lab;
  return lab;
}

test('reports that it is ready when the media of the demo exists, and exits on a signal', {
  timeout: 240_000,
}, async () => {
  // Media is generated once for all tests, which takes most of a minute.
  const cache = path.join('data', 'lab');
  const lab = start({ LAB_CACHE: cache });
  const [line] = (await once(createInterface(lab.stdout), 'line')) as [string];
  const ready = JSON.parse(line) as { event: string; port: number; url: string };
  expect(ready).toEqual({ event: 'ready', port: expect.any(Number), url: `http://127.0.0.1:${ready.port}` });
  expect((await fetchThrough(ready, `${ready.url}/_lab/catalogue`)).status).toBe(200);
  expect(await readdir(path.join(cache, 'v1'))).toContain('amber-30.video-1080.mp4');
  lab.kill('SIGTERM');
  expect(await once(lab, 'exit')).toEqual([0, null]);
});

test('exits with 0 when it receives SIGINT and SIGTERM as soon as it is ready', { timeout: 240_000 }, async () => {
  const lab = start({ LAB_CACHE: path.join('data', 'lab') });
  await once(lab.stdout, 'data');
  lab.kill('SIGINT');
  lab.kill('SIGTERM');
  expect(await once(lab, 'exit')).toEqual([0, null]);
});

/** Starts the lab as the service does, in a separate process group. */
async function startWithChannel(settings: Readonly<Record<string, string>>) {
  const lab = spawn(process.execPath, [program], {
    env: { LAB_PORT: '0', LAB_CACHE: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  child = lab;
  const { stdout, stderr, pid } = lab;
  await once(lab, 'spawn');
  if (stdout === null || stderr === null || pid === undefined) throw new Error('the lab has no output');
  return { lab, stdout, group: -pid, errors: text(stderr) };
}

test('generates media in the background, ignores signals, and exits when its IPC channel closes', async () => {
  const { lab, stdout, group, errors } = await startWithChannel({ LAB_PREPARE: 'background' });
  await once(stdout, 'data');
  const media = () => readdir(path.join(folder, 'v1'));
  // The last file of the list.
  const last = 'coral-30.hls-1080';
  expect(await media()).not.toContain(last);
  await expect.poll(media, { timeout: 540_000 }).not.toEqual([]);
  // The group includes the makers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(group, signal);
  await expect.poll(media, { timeout: 540_000 }).toContain(last);
  lab.disconnect();
  expect(await once(lab, 'exit')).toEqual([0, null]);
  expect(await errors).toBe('');
});

test('exits if its IPC channel closes while it starts', async () => {
  const { lab } = await startWithChannel({ LAB_PREPARE: 'off' });
  lab.disconnect();
  expect(await once(lab, 'exit')).toEqual([0, null]);
});

test.each([
  [{ LAB_PORT: 'http' }, 'LAB_PORT is http'],
  [{ LAB_CACHE_LIMIT: '1 GB' }, 'LAB_CACHE_LIMIT is 1 GB'],
  [{ LAB_LATENCY: '-1' }, 'LAB_LATENCY is -1'],
  [{ LAB_RECORDINGS: '/nowhere/at/all' }, '/nowhere/at/all'],
])('exits with an error message for %j', async (settings, words) => {
  const lab = start(settings);
  const errorText = text(lab.stderr);
  expect(await once(lab, 'exit')).toEqual([1, null]);
  expect(await errorText).toContain(words);
  expect((await errorText).trim().split('\n')).toHaveLength(1);
});

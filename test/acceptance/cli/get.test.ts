/** @module-tag long */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { inFolder, millrace, millraceProcess, shell } from '../../support/command-line.ts';
import { freePort } from '../../support/free-port.ts';
import { inspect, jpegSize } from '../../support/media.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';
import { openSlowConnection, type SlowConnection } from '../../support/slow-connection.ts';

const env = { MILLRACE_URL: inject('serviceUrl'), MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
const video = 'https://www.youtube.com/watch?v=lab-min-002';
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterEach(() => remove());

/** Returns the kinds of the tracks in a file whose name a command has printed. */
async function tracksOf(output: string): Promise<string[]> {
  const { tracks } = await inspect(await readFile(inFolder(cwd, output)));
  return tracks.map(({ kind }) => kind).toSorted();
}

describe('get', () => {
  test.each([
    ['the best quality of p1, from its video and its audio', 'lab-min-002', [], ['audio', 'video']],
    ['a given height', video, ['--quality', '360p'], ['audio', 'video']],
    ['audio of p1', video, ['--quality', 'audio'], ['audio']],
    ['p2', 'https://www.instagram.com/p/lab-reel-30/', ['--quality', 'worst'], ['audio', 'video']],
    ['p3', 'https://www.facebook.com/reel/770000000000001', ['--quality', '360p'], ['audio', 'video']],
    ['p4', 'https://www.tiktok.com/@thelab/video/7559142440960000001', [], ['audio', 'video']],
    ['audio of p4', 'https://www.tiktok.com/@thelab/video/7559142440960000001', ['--quality', 'audio'], ['audio']],
    ['p5', 'https://www.dailymotion.com/video/xlab30', ['--quality', 'worst'], ['audio', 'video']],
  ])('writes %s and prints the file name', async (_, link, options, tracks) => {
    const { code, stdout, stderr } = await millrace(['get', link, ...options], { env, cwd });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Saved [\d.]+ [KM]B as\n$/)]);
    expect(await tracksOf(stdout)).toEqual(tracks);
    expect(await readdir(cwd)).toEqual([stdout.trim()]);
  });

  test('writes the images of p6', async () => {
    const pin = 'https://www.pinterest.com/pin/600000000000000105/';
    const { code, stdout } = await millrace(['get', pin, '--item', '1', '-o', 'pin.jpg'], { env, cwd });
    expect([code, stdout]).toEqual([0, 'pin.jpg\n']);
    expect(jpegSize(await readFile(join(cwd, 'pin.jpg'))).width).toBeGreaterThan(0);
  });

  test('prints one JSON object, or a stream of events', async () => {
    const { stdout } = await millrace(['get', video, '--json', '-o', 'a.mp4'], { env, cwd });
    const { size } = await stat(join(cwd, 'a.mp4'));
    const result = { platform: 'p1', files: [{ path: 'a.mp4', bytes: size, resumedFrom: 0 }] };
    expect(JSON.parse(stdout)).toMatchObject(result);
    const { stdout: lines, stderr } = await millrace(['get', video, '--events', '-o', 'b.mp4'], { env, cwd });
    const events = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(expect.objectContaining({ event: 'status', status: 'done', progress: 100 }));
    expect(events).toContainEqual(expect.objectContaining({ event: 'progress', stage: 'saving' }));
    expect(events.at(-1)).toMatchObject({ event: 'result', files: [{ path: 'b.mp4', bytes: size }] });
    expect(stderr).toBe('');
  });

  test('writes the file itself to a pipe', async () => {
    await millrace(['get', video, '-o', 'a.mp4', '--quality', '360p'], { env, cwd });
    const { code, bytes } = await millrace(['get', video, '-o', '-', '--quality', '360p', '--quiet'], { env, cwd });
    expect(code).toBe(0);
    expect(bytes.length).toBe((await stat(join(cwd, 'a.mp4'))).size);
    expect((await inspect(bytes)).tracks).toHaveLength(2);
  });
});

describe('an existing file', () => {
  test('is replaced only with --force', async () => {
    await writeFile(join(cwd, 'mine.mp4'), 'mine');
    const refused = await millrace(['get', video, '-o', 'mine.mp4'], { env, cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('mine.mp4 already exists')]);
    expect(await readFile(join(cwd, 'mine.mp4'), 'utf8')).toBe('mine');
    expect((await millrace(['get', video, '-o', 'mine.mp4', '--force'], { env, cwd })).code).toBe(0);
    expect(await tracksOf('mine.mp4')).toEqual(['audio', 'video']);
  });
});

describe('get reports a full disk', () => {
  test('for a file', async () => {
    const { code, stderr } = await millrace(['get', video, '-o', '/dev/full'], { env, cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The disk of \/dev is full\. Free up space/)]);
  });

  test('for standard output', async () => {
    const { code, stderr } = await shell(`millrace get ${video} -o - > /dev/full`, { env, cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('The output cannot be written: ENOSPC')]);
  });
});

test('get keeps the part of a file that the system stops in the middle', async () => {
  const words = 'get lab-plain30 --quality 360p -o film.mp4';
  const broken = await shell(`ulimit -f 200; millrace ${words}`, { env, cwd });
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('would exceed the maximum file size')]);
  expect(broken.stderr).toContain('film.mp4.part was kept');
  expect((await readdir(cwd)).toSorted()).toEqual(['film.mp4.part', 'film.mp4.part.json']);
  expect((await millrace(words.split(' '), { env, cwd })).code).toBe(0);
  expect(await readdir(cwd)).toEqual(['film.mp4']);
});

describe('an interrupted download', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: RunningProcess;
  let wire: SlowConnection;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const port = await freePort();
    wire = await openSlowConnection(port, () => service.url);
    service = await startService(inject('labUrl'), folder.path, { RENDER_URL: wire.url });
  });

  afterAll(async () => {
    await wire.close();
    await service.kill();
    await folder.delete();
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('resumes after %s, and the file is complete to the byte', async (signal, code) => {
    const here = { env: { ...env, MILLRACE_URL: service.url }, cwd };
    const words = ['get', 'lab-plain30', '--quality', '720p', '-o', 'film.mp4'];
    const before = wire.ranges.length;
    wire.setSpeed(100_000);
    const broken = await millraceProcess(words, {
      ...here,
      meanwhile: (kill) => void untilPart(join(cwd, 'film.mp4.part'), 100_000).then(() => kill(signal)),
    });
    expect([broken.code, broken.stderr]).toEqual([code, expect.stringContaining('film.mp4.part was kept')]);
    expect((await readdir(cwd)).toSorted()).toEqual(['film.mp4.part', 'film.mp4.part.json']);
    const { size: there } = await stat(join(cwd, 'film.mp4.part'));

    wire.setSpeed(Number.POSITIVE_INFINITY);
    const { code: end, stdout } = await millrace([...words, '--json'], here);
    expect(end).toBe(0);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ resumedFrom: there });
    expect(wire.ranges.slice(before)).toEqual([null, `bytes=${there}-`]);
    expect(await readdir(cwd)).toEqual(['film.mp4']);
    const { tracks, duration } = await inspect(await readFile(join(cwd, 'film.mp4')));
    expect(tracks).toHaveLength(2);
    expect(duration).toBeCloseTo(30, 0);
  });

  test('starts again when its render has expired', async () => {
    const here = { env: { ...env, MILLRACE_URL: service.url }, cwd };
    await writeFile(join(cwd, 'film.mp4.part'), 'something else');
    const question = JSON.stringify(['p1', 'video/details', { videoId: 'lab-min-002' }, '360p', 1]);
    const render = `${wire.url}/api/v1/render/status/sse/p1-that-is-gone`;
    await writeFile(join(cwd, 'film.mp4.part.json'), JSON.stringify({ question, render, size: 1e6 }));
    const { code } = await millrace(['get', video, '--quality', '360p', '-o', 'film.mp4'], here);
    expect(code).toBe(0);
    expect(await tracksOf('film.mp4')).toEqual(['audio', 'video']);
  });
});

async function untilPart(path: string, bytes: number): Promise<void> {
  await expect
    .poll(
      () =>
        stat(path).then(
          ({ size }) => size,
          () => 0,
        ),
      { interval: 20, timeout: 540_000 },
    )
    .toBeGreaterThan(bytes);
}

/** @module-tag long */

import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { millrace, millraceProcess } from '../../support/command-line.ts';
import { inspect } from '../../support/media.ts';
import { keys, temporaryFolder } from '../../support/processes.ts';
import { millraceInTerminal } from '../../support/pseudo-terminal.ts';

const env = { MILLRACE_URL: inject('serviceUrl'), MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
/** A playlist of 250 videos, whose second one is private. */
const playlist = 'https://www.youtube.com/playlist?list=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';
/** A playlist of ten videos. */
const ten = 'https://www.youtube.com/playlist?list=PLlab-ten-videos';
const short = 'https://youtu.be/lab-min-002';
const removed = 'https://youtu.be/lab-removed';
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterEach(() => remove());

/** Runs `millrace get` in the test's folder. */
function get(words: readonly string[], more: Partial<Parameters<typeof millrace>[1]> = {}) {
  return millrace(['get', ...words], { env, cwd, ...more });
}

/** Runs `millrace get`, and interrupts it as soon as a check passes. */
function interrupt(words: readonly string[], untilReady: () => Promise<unknown>) {
  const meanwhile = (kill: (signal: NodeJS.Signals) => void) => void untilReady().then(() => kill('SIGINT'));
  return millraceProcess(['get', ...words], { env, cwd, meanwhile });
}

describe('a playlist', () => {
  test('is fetched with one command, which can be interrupted and run again', async () => {
    const words = [ten, '--quality', '360p', '--output', 'films/', '--concurrent', '3'];
    const folder = join(cwd, 'films');
    const complete = async () => (existsSync(folder) ? await readdir(folder) : []).filter((name) => !isPart(name));
    const isReady = async () => (await complete()).length > 1;
    const stop = () => interrupt(words, () => expect.poll(isReady, { interval: 20, timeout: 540_000 }).toBe(true));
    let stopped = await stop();
    // On a busy machine, the command may end before it is interrupted.
    for (let attempt = 1; stopped.code === 0 && attempt < 5; attempt += 1) {
      await rm(folder, { recursive: true });
      stopped = await stop();
    }
    expect([stopped.code, stopped.stderr]).toEqual([
      130,
      expect.stringMatching(/Stopped: \d of 10 done\. Run the same command again to get the rest\./),
    ]);
    const before = await complete();
    expect(before.length).toBeLessThan(10);

    const ended = await get([...words, '--json']);
    const { files, skipped, failed } = JSON.parse(ended.stdout);
    expect([ended.code, failed]).toEqual([0, []]);
    expect(files).toHaveLength(10 - before.length);
    expect(skipped.map(({ code }: { code: string }) => code)).toEqual(before.map(() => 'exists'));
    const names = await readdir(folder);
    expect([names.length, names.filter(isPart)]).toEqual([10, []]);
    const { tracks } = await inspect(await readFile(join(folder, names[0] ?? '')));
    expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
  });

  test('is fetched without the videos that it marks as private', async () => {
    const { code, stdout, stderr } = await get([playlist, '--items', '1-2', '--quality', 'audio']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('[2] [Private video]: skipped. It is private')]);
    expect(await readdir(cwd)).toEqual([stdout.trim()]);
  });

  test('is previewed without writing anything, and its items can be counted from its end', async () => {
    const { code, stdout, stderr } = await get([ten, '--items', '-2:', '--quality', '360p', '--dry-run']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 files to download, about ')]);
    expect(stdout).toMatch(/^(?:.+\.mp4 {2}360p {2}[\d.]+ [KM]B\n){2}$/);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('in the link of a video is named, and only the video is fetched', async () => {
    const { stderr, stdout } = await get([`${short}?list=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR`, '--quality', '360p']);
    expect(stderr).toContain(`Getting only the video. For its list: millrace get '${playlist}'`);
    expect(await readdir(cwd)).toEqual([stdout.trim()]);
  });
});

function isPart(name: string): boolean {
  return name.endsWith('.part') || name.endsWith('.part.json');
}

describe('several links', () => {
  test('are fetched even if one fails, and the summary says which and why', async () => {
    const reel = 'https://www.instagram.com/p/lab-reel-30/';
    const { code, stdout, stderr } = await get([short, removed, reel, '--quality', 'worst', '--output', 'films/']);
    expect(code).toBe(3);
    expect(stdout.trim().split('\n').toSorted()).toEqual(
      (await readdir(join(cwd, 'films'))).map((name) => `films/${name}`),
    );
    expect(stderr).toMatch(/2 of 3 done, 1 failed\.\n\[2\] https:\/\/youtu\.be\/lab-removed: .*removed/);
  });

  test('are given up at the first failure with --fail-fast, which leaves nothing behind', async () => {
    const words = [removed, short, '--fail-fast', '--concurrent', '1', '--output', 'films/', '--json'];
    const { code, stdout } = await get(words);
    const { files, failed } = JSON.parse(stdout);
    expect([code, files, failed]).toEqual([
      3,
      [],
      [expect.objectContaining({ item: 1, link: 'https://www.youtube.com/watch?v=lab-removed', exitCode: 3 })],
    ]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('are read from standard input and fetched once, and events name their item', async () => {
    const input = `# short\n${short}\n\nhttps://www.youtube.com/watch?v=lab-min-002\r\nnonsense\n`;
    const { code, stdout } = await get(['--batch-file', '-', '--quality', '360p', '--events'], { input });
    expect(code).toBe(2);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(expect.objectContaining({ event: 'status', item: 1, status: 'done' }));
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'item', item: 2, state: 'skipped', code: 'repeated' }),
    );
    expect(events.at(-1)).toMatchObject({
      event: 'result',
      files: [{ item: 1 }],
      failed: [{ item: 3, name: 'nonsense', exitCode: 2 }],
    });
  });

  test('need a folder', async () => {
    const { code, stderr } = await get([short, removed, '--output', 'film.mp4']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('End --output with a slash')]);
  });

  test('have a line of progress each at a terminal, and one for all', async () => {
    const run = millraceInTerminal(['get', short, 'lab-plain30', '--quality', '360p'], { env, cwd });
    expect(await run.ended()).toBe(0);
    expect(run.output()).toMatch(/\[1\] https:\/\/youtu\.be\/lab-min-002: rendering/);
    expect(run.output()).toMatch(/\[2\] lab-plain30: rendering/);
    expect(run.output()).toMatch(/1 of 2 done/);
    const [summary] = run.output().trimEnd().split('\n').slice(-1);
    expect(summary).toContain('2 of 2 done.');
  });
});

describe('an archive', () => {
  test('lists completed items, which are then skipped', async () => {
    await writeFile(join(cwd, 'seen.txt'), 'youtube lab-plain30');
    const words = ['lab-plain30', short, '--quality', '360p', '--archive', 'seen.txt', '--json'];
    const first = await get(words);
    expect(JSON.parse(first.stdout)).toMatchObject({ files: [{ item: 2 }], skipped: [{ item: 1, code: 'archived' }] });
    expect(await readFile(join(cwd, 'seen.txt'), 'utf8')).toBe('youtube lab-plain30\np1 lab-min-002\n');
    const second = await get(words);
    expect([second.code, JSON.parse(second.stdout).files]).toEqual([0, []]);
  });
});

describe('chapters', () => {
  test('become a file each, named by their number and title', async () => {
    const { code } = await get(['https://youtu.be/lab-chapter', '--quality', '360p', '--split-chapters']);
    const names = (await readdir(cwd)).toSorted();
    expect([code, names]).toEqual([
      0,
      [1, 2, 3].map((number) => expect.stringMatching(new RegExp(` - 0${number} .+\\.mp4$`))),
    ]);
    const durations = await Promise.all(
      names.map(async (name) => (await inspect(await readFile(join(cwd, name)))).duration),
    );
    expect(durations.reduce((sum, duration) => sum + duration, 0)).toBeCloseTo(30, -1);
  });

  test('are required by --split-chapters', async () => {
    const { code, stderr } = await get([short, '--split-chapters']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('This link has no chapters.')]);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('a profile', () => {
  test('is fetched post by post where the platform lists them', async () => {
    const { code, stdout } = await get(['https://www.instagram.com/thelab/', '--items', '1-2', '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(new Set(JSON.parse(stdout).files.map(({ item }: { item: number }) => item)).size).toBe(2);
  });

  test('is refused where the platform does not list them', async () => {
    const { code, stderr } = await get(['https://www.tiktok.com/@thelab']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('TikTok does not list the posts')]);
  });
});

test('an interrupted download leaves nothing with --no-part', async () => {
  const words = ['https://youtu.be/lab-med-slo', '--quality', 'audio', '-o', 'sounds/', '--no-part'];
  const part = async () => (existsSync(join(cwd, 'sounds')) ? await readdir(join(cwd, 'sounds')) : []);
  const { code, stderr } = await interrupt(words, () =>
    expect.poll(part, { interval: 20, timeout: 540_000 }).toContainEqual(expect.stringMatching(/\.part$/)),
  );
  expect([code, await readdir(cwd)], stderr).toEqual([130, []]);
});

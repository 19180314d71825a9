import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { millrace, shell } from '../../support/command-line.ts';
import { describeJob, post, render } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { inspect } from '../../support/media.ts';
import { keys, temporaryFolder } from '../../support/processes.ts';

const env = { MILLRACE_URL: inject('serviceUrl'), MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterEach(() => remove());

const run = (...words: string[]) => millrace(words, { env, cwd });

describe('info', () => {
  test('prints title, author, length and every quality', async () => {
    const { code, stdout } = await run('info', 'lab-plain30');
    expect(code).toBe(0);
    const [title, facts, best] = stdout.split('\n');
    const { metadata } = JSON.parse((await run('info', 'lab-plain30', '--json')).stdout);
    expect(title).toBe(metadata.title);
    expect(facts).toContain(`${metadata.author.name} · 0:30 · `);
    expect(facts).toMatch(/ · \d{4}-\d{2}-\d{2}$/);
    expect(best).toMatch(/^Best video: 1080p H\.264 \([\d.]+ MB\) · Best audio: Opus \d+ kbps \([\d.]+ KB\)$/);
    expect(stdout).toMatch(/^KIND +QUALITY +RESOLUTION +FPS +CODEC +FORMAT +SIZE +AUDIO$/m);
    expect(stdout).toMatch(/^video +1080p +1920x1080 +25 +H\.264 +mp4 +[\d.]+ [KM]B +added by get$/m);
    expect(stdout).toMatch(/^audio +Opus \d+ kbps +Opus +webm +[\d.]+ KB$/m);
  });

  test('prints the whole response as JSON', async () => {
    const { stdout } = await run('info', 'lab-plain30', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ error: null, contents: [{ videos: expect.any(Array) }] });
  });

  test('lists every item of a carousel', async () => {
    const { stdout } = await run('info', 'https://www.instagram.com/p/lab-caromix/');
    expect(stdout.match(/^Item \d$/gm)).toEqual(['Item 1', 'Item 2', 'Item 3', 'Item 4', 'Item 5']);
  });

  test('prints the first results of a search', async () => {
    const { code, stdout } = await run('info', 'search3:bridges');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Search results\n\S{11} +video +[\d:]+ {2}\S/m)]);
  });

  test('prints the details of a channel and the items of a playlist', async () => {
    expect((await run('info', 'https://www.youtube.com/@thelab')).stdout).toMatch(
      /^The Lab\n@thelab · .*subscribers · .*\n.*\nhttps:\/\/www\.youtube\.com\/channel\/UC\S{22}\n/,
    );
    const [id] = (await run('search', 'bridges', '--type', 'playlist', '--limit', '1')).stdout.split(' ');
    const { code, stdout } = await run('info', `https://www.youtube.com/playlist?list=${id}`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ videos · /m)]);
    expect(stdout).toMatch(/^\S{11} +video +[\d:]+ {2}\S/m);
  });
});

describe('a broadcast that has not ended', () => {
  test.each([
    ['lab-live-on', /^LIVE · /m, /^This broadcast is live\. Run the command again after it ends\.$/m],
    ['lab-live-up', /^starts at [\d-]+ 12:00 UTC · /m, /^This broadcast starts at .* UTC\. Run/m],
  ])('is marked, and get fails before it starts a render: %s', async (id, fact, message) => {
    expect((await run('info', id)).stdout).toMatch(fact);
    const { code, stdout, stderr } = await run('get', id);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('rendering');
  });
});

describe('a name that several platforms have', () => {
  const others =
    /^ {2}TikTok profile +https:\/\/www\.tiktok\.com\/@thelab\n {2}Instagram profile +https:\/\/\S+\/thelab\/$/m;

  test('is read as the first one, and the links to the others are listed', async () => {
    const { code, stdout, stderr } = await run('info', '@thelab');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The Lab\n@thelab · /)]);
    expect(stderr).toMatch(/^Treating @thelab as a YouTube channel\. /m);
    expect(stderr).toMatch(others);
    const [, link = ''] = /(https:\/\/www\.tiktok\.com\S+)/.exec(stderr) ?? [];
    expect((await run('info', link)).stdout).toMatch(/^The Lab$/m);
    expect((await run('info', '@thelab', '--json')).stderr).not.toContain('Treating');
  });
});

describe('search', () => {
  test('reads as many pages as requested', async () => {
    const { code, stdout } = await run('search', 'bridges', '--type', 'video', '--limit', '45');
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, 45]);
    expect(new Set(lines.map((line) => line.split(' ', 1)[0])).size).toBe(45);
    for (const line of lines) expect(line).toMatch(/^\S{11} +video +[\d:]+ {2}\S/);
  });

  test('prints one line of JSON for each result', async () => {
    const { stdout } = await run('search', 'bridges', '--json', '--limit', '3');
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(names).toHaveLength(3);
    for (const item of names) expect(item).toMatchObject({ type: expect.any(String), id: expect.any(String) });
  });

  test('exits quietly when its output is closed', async () => {
    const { code, stdout, stderr } = await shell('millrace search bridges --limit 80 | head -1', { env, cwd });
    expect([code, stdout.split('\n').length, stderr]).toEqual([0, 2, '']);
  });
});

describe('transcript', () => {
  test.each([
    ['text', /^\S.*\n/],
    ['srt', /^1\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\n\S/],
    ['vtt', /^WEBVTT\n\n00:00:\d\d\.\d{3} --> /],
    ['json', /^\{\n {2}"languages"/],
  ])('prints %s', async (format, shape) => {
    const { code, stdout } = await run('transcript', 'lab-plain30', '--format', format);
    expect([code, stdout]).toEqual([0, expect.stringMatching(shape)]);
  });

  test('writes a given language to a file', async () => {
    const languages = (await run('transcript', 'lab-plain30', '--list')).stdout.trim().split('\n');
    expect(languages).toContain('en');
    const { code } = await run('transcript', 'lab-plain30', '--lang', 'de', '--format', 'srt', '-o', 'a.srt');
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'a.srt'), 'utf8')).toMatch(/ --> /);
    expect((await run('transcript', 'lab-plain30', '-o', 'a.srt')).code).toBe(1);
  });

  test('reports a missing transcript', async () => {
    const { code, stderr } = await run('transcript', 'https://youtu.be/lab-capt-no');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/transcript/)]);
  });
});

describe('render --plan', () => {
  const job = (url: string) => JSON.stringify(describeJob('extract_audio', [{ url, ext: 'mp4' }], 'm4a'));

  test('prints a preview and starts nothing', async () => {
    const input = job(labFile('/media/amber-2/movie-360.mp4').url);
    const { code, stdout } = await millrace(['render', '-', '--plan'], { env, cwd, input });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^OPERATION +extract_audio: video drop, audio copy$/m)]);
    const { id } = JSON.parse(input);
    expect((await run('watch', id)).code).toBe(3);
  });

  test('fails when the preview has problems', async () => {
    const input = job(labFile('/media/amber-2/movie-360.mp4', { status: 404 }).url);
    const { code, stdout } = await millrace(['render', '-', '--plan', '--json'], { env, cwd, input });
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { problems: [{ code: 'source_refused', input: 0 }] }]);
  });
});

describe('render and watch', () => {
  const job = () => {
    const { id: _, ...rest } = describeJob(
      'extract_audio',
      [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }],
      'm4a',
    ) as { id: string };
    return JSON.stringify(rest);
  };

  test('start a job, wait for it, and print the link of its file', async () => {
    await writeFile(join(cwd, 'job.json'), job());
    const { code, stdout } = await run('render', 'job.json', '--wait');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\/\S+\.m4a\n$/)]);
  });

  test('start a job read from standard input, and watch it by its ID', async () => {
    const started = await millrace(['render', '-'], { env, cwd, input: job() });
    expect([started.code, started.stdout]).toEqual([0, expect.stringMatching(/^job-[0-9a-f]{32}\n$/)]);
    const watched = await run('watch', started.stdout.trim(), '--events');
    const events = watched.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-2)).toMatchObject({ event: 'status', status: 'done', progress: 100 });
    expect(events.at(-1)).toMatchObject({ event: 'result', url: expect.stringContaining('/files/') });
  });

  test('download the file', async () => {
    const { code, stdout } = await millrace(['render', '-', '-o', 'sound.m4a'], { env, cwd, input: job() });
    expect([code, stdout]).toEqual([0, 'sound.m4a\n']);
    expect((await inspect(await readFile(join(cwd, 'sound.m4a')))).tracks.map(({ kind }) => kind)).toEqual(['audio']);
  });

  test('explain how to shorten a job that is too large', async () => {
    const description = JSON.parse(job());
    const chapters = Array.from({ length: 10_000 }, (_, start) => ({ start, title: `Chapter ${start}` }));
    const input = JSON.stringify({ ...description, output: { ...description.output, chapters } });
    const large = await millrace(['render', '-'], { env, cwd, input });
    expect([large.code, large.stderr]).toEqual([2, expect.stringMatching(/256 KiB\..*at most 1,000 chapters/s)]);
  });

  test('explain what is wrong with a job', async () => {
    const wrong = await millrace(['render', '-'], { env, cwd, input: job().replace('extract_audio', 'extract_smell') });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('operation.type')]);
    expect((await millrace(['render', '-'], { env, cwd, input: '{' })).code).toBe(2);
    expect((await run('render', 'none.json')).code).toBe(2);
    expect((await run('watch', 'no-such-job')).code).toBe(3);
  });
});

describe('a render', () => {
  const video = { url: labFile('/media/amber-2/video-360.mp4').url, ext: 'mp4' };
  /** Returns a job that joins a video and another input. */
  const join = (path: string, ext: string, faults = {}) =>
    JSON.stringify(
      describeJob('join_streams', [video, { url: labFile(path, faults).url, ext: path.split('.').at(-1) ?? '' }], ext),
    );

  test.each([
    ['with a refusing source', join('/media/amber-2/sound.m4a', 'mp4', { status: 404 }), 3, 'source_refused'],
    ['with an unreachable source', join('/media/amber-2/sound.m4a', 'mp4', { status: 503 }), 4, 'source_unreachable'],
    ['with a source that is not media', join('/hostile/ffconcat.mp4', 'mp4'), 1, 'input_unreadable'],
  ])('%s fails with its exit code, in text and as JSON', async (_what, input, number, code) => {
    const { code: ended, stdout, stderr } = await millrace(['render', '-', '--wait', '--json'], { env, cwd, input });
    expect([ended, stderr]).toEqual([number, expect.stringMatching(/Input 2/)]);
    expect(JSON.parse(stdout)).toEqual({
      error: { message: expect.stringMatching(/Input 2/), code, input: 1, requestId: expect.any(String) },
      exitCode: number,
    });
  });

  test('with a note prints it on standard error, except with --quiet', async () => {
    const input = join('/media/amber-2/chapters.mp3', 'ts');
    const loud = await millrace(['render', '-', '-o', 'a.ts'], { env, cwd, input });
    expect([loud.code, loud.stdout]).toEqual([0, 'a.ts\n']);
    expect(loud.stderr).toMatch(/^Note: The chapters of input 2 .*\.$/m);
    const { id } = JSON.parse(input);
    expect((await run('watch', id)).stderr).toMatch(/^Note: /m);
    expect((await run('watch', id, '--quiet')).stderr).toBe('');
    const notes = [{ code: 'chapters_left_out', message: expect.any(String), input: 1 }];
    expect(JSON.parse((await run('watch', id, '--json')).stdout)).toMatchObject({ notes });
    const saved = await millrace(['render', '-', '-o', 'b.ts', '--json'], { env, cwd, input });
    expect(JSON.parse(saved.stdout)).toMatchObject({ path: 'b.ts', notes });
  });
});

describe('cancel', () => {
  const slow = () => {
    const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 20_000 });
    return describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', { chunkDownload: { concurrency: 1 } });
  };

  test('works by ID, with a key', async () => {
    const input = JSON.stringify(slow());
    const id = (await millrace(['render', '-'], { env, cwd, input })).stdout.trim();
    const first = await run('cancel', id);
    expect([first.code, first.stdout, first.stderr]).toEqual([0, `${id}\n`, expect.stringContaining('cancelled')]);
    const again = await run('cancel', id, '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { jobId: id, status: 'cancelled' }]);
    const watched = await run('watch', id);
    expect([watched.code, watched.stderr]).toEqual([1, expect.stringContaining('Cancelled by its owner')]);
  });

  test('works by execution URL, without a key or an address', async () => {
    const { body } = await post<{ executionUrl: string }>(`${env.MILLRACE_URL}/api/v1/render/cache`, slow());
    await fetch(body.executionUrl);
    expect((await millrace(['cancel', body.executionUrl], { cwd })).code).toBe(0);
  });

  test('explains a refusal', async () => {
    const job = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
    await render(env.MILLRACE_URL, job);
    const late = await run('cancel', job.id);
    expect([late.code, late.stdout, late.stderr]).toEqual([1, '', expect.stringContaining('already done')]);
    expect((await run('cancel', 'never-started')).code).toBe(3);
    const other = { ...env, MILLRACE_RENDER_KEY: keys.otherRender };
    expect((await millrace(['cancel', job.id], { env: other, cwd })).code).toBe(5);
    expect((await millrace(['cancel', job.id], { cwd })).code).toBe(2);
    expect((await run('cancel', 'files/a')).code).toBe(2);
  });
});

describe('exit code', () => {
  test.each<[number, string, string[], Record<string, string>]>([
    [2, 'no command', [], {}],
    [2, 'an unknown command', ['frobnicate'], {}],
    [2, 'no link', ['get', 'good morning'], {}],
    [2, 'a quality after -f', ['get', '-f', 'bv*+ba/b', 'lab-plain30'], {}],
    [3, 'an ID that starts with a dash', ['get', '-AbCdEfGhIj'], {}],
    [2, 'a link without a command', ['https://youtu.be/lab-plain30'], {}],
    [2, 'an invalid address', ['info', 'lab-plain30'], { MILLRACE_URL: 'here' }],
    [2, 'an unknown country', ['info', 'xlab30', '--country', 'zz'], {}],
    [3, 'a removed video', ['get', 'https://youtu.be/lab-removed'], {}],
    [3, 'a private video', ['get', 'https://youtu.be/lab-private'], {}],
    [3, 'a video behind an age gate', ['info', 'https://youtu.be/lab-agegate'], {}],
    [4, 'a site that refuses visitors', ['info', 'https://youtu.be/lab-botwall'], {}],
    [4, 'no service', ['info', 'lab-plain30'], { MILLRACE_URL: 'http://127.0.0.1:9' }],
    [5, 'a wrong key', ['info', 'lab-plain30'], { MILLRACE_KEY: 'wrong' }],
  ])('%d: %s', async (code, _, words, more) => {
    const ended = await millrace(words, { env: { ...env, ...more }, cwd });
    expect([ended.code, ended.stderr]).toEqual([code, expect.not.stringMatching(/\n +at /)]);
    expect(ended.stderr + ended.stdout).toMatch(/\S/);
  });

  test('prints the error as JSON for programs', async () => {
    const { code, stdout } = await run('get', 'https://youtu.be/lab-removed', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { error: { code: 'not_found' }, exitCode: 3 }]);
  });
});

test('help, version and completions', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect((await run('--version')).stdout).toBe(`${version}\n`);
  expect((await run('get', '--help')).stdout).toMatch(/^Usage: millrace get/);
  const { stdout } = await run('completions', 'bash');
  await writeFile(join(cwd, 'completions'), stdout);
  const line = 'source completions; COMP_WORDS=(millrace tr); COMP_CWORD=1; _millrace; echo "$COMPREPLY"';
  expect((await promisify(execFile)('bash', ['-c', line], { cwd })).stdout).toBe('transcript\n');
});

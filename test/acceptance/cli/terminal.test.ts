/** @module-tag long */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { millrace } from '../../support/command-line.ts';
import { type FakeService, startFakeService } from '../../support/fake-service.ts';
import { inspect } from '../../support/media.ts';
import { keys, temporaryFolder } from '../../support/processes.ts';
import { millraceInTerminal } from '../../support/pseudo-terminal.ts';

const env = { MILLRACE_URL: inject('serviceUrl'), MILLRACE_KEY: keys.MEGA };
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterEach(() => remove());

const esc = '\u001b';

describe('a terminal', () => {
  test('shows a coloured progress bar that is redrawn in place and then removed', async () => {
    const run = millraceInTerminal(['get', 'lab-plain30', '--quality', '720p', '-o', 'a.mp4'], { env, cwd });
    expect(await run.ended()).toBe(0);
    const text = run.output();
    expect(text).toMatch(/\r[^\n]*━[^\n]*rendering: \w+ {2}[ \d]+ %/);
    expect(text).toMatch(/\r[^\n]*saving {2}100 % {2}[\d.]+ MB of [\d.]+ MB/);
    expect(text).toContain(`${esc}[32m`);
    expect(text.split(`${esc}[K`).length).toBeGreaterThan(3);
    // The final screen contains no part of the bar.
    expect(
      text
        .trimEnd()
        .split('\n')
        .slice(-2)
        .map((line) => line.split(`${esc}[K`).at(-1)?.trim()),
    ).toEqual([expect.stringMatching(/^Saved [\d.]+ MB as$/), 'a.mp4']);
  });

  test('shows no colours with NO_COLOR', async () => {
    const run = millraceInTerminal(['get', 'lab-min-002', '--quality', '360p'], {
      env: { ...env, NO_COLOR: '1' },
      cwd,
    });
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('━');
    expect(run.output().replaceAll(`${esc}[K`, '')).not.toContain(`${esc}[`);
  });

  test('prompts for the quality', async () => {
    const run = millraceInTerminal(['get', 'lab-plain30', '-o', 'a.mp4'], { env, cwd });
    await run.until(/Select a quality \[1\]/);
    const [, number = ''] = /(\d+) {2}360p\r?\n/.exec(run.output()) ?? [];
    run.type(`99\r`);
    await run.until(/Enter a number from 1 to \d+/);
    run.type(`${number}\r`);
    expect(await run.ended()).toBe(0);
    expect((await inspect(await readFile(join(cwd, 'a.mp4')))).tracks).toHaveLength(2);
  });

  test('prompts for the account that a name belongs to', async () => {
    const run = millraceInTerminal(['info', '@thelab'], { env, cwd });
    await run.until(/Select an account \[1\]/);
    const [, number] = /(\d+) {2}TikTok profile/.exec(run.output()) ?? [];
    run.type(`${number}\r`);
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('@thelab · 11.1K followers');
  });

  test('prompts for a key without showing it', async () => {
    const run = millraceInTerminal(['info', 'lab-min-002'], { env: { MILLRACE_URL: env.MILLRACE_URL }, cwd });
    await run.until(/Key for the extraction API/);
    run.type(`${keys.MEGA}\r`);
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('KIND');
    expect(run.output()).not.toContain(keys.MEGA);
  });

  test('ends a download on Ctrl-C, and the same command resumes it', async () => {
    // The media of this video arrives at 64 kB per second.
    const words = ['get', 'https://youtu.be/lab-med-slo', '--quality', 'audio', '-o', 'sound'];
    const run = millraceInTerminal(words, { env, cwd });
    await run.until(/saving +[1-9]\d* %/);
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
    expect(run.output()).toContain('sound.part was kept');
    expect((await readdir(cwd)).toSorted()).toEqual(['sound.part', 'sound.part.json']);
    const { code, stdout } = await millrace([...words, '--json'], { env, cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).files[0].resumedFrom).toBeGreaterThan(0);
    const { tracks, duration } = await inspect(await readFile(join(cwd, 'sound')));
    expect([tracks.length, Math.round(duration)]).toEqual([1, 30]);
  });

  test('ends the command when Ctrl-C is pressed at a prompt', async () => {
    const run = millraceInTerminal(['get', 'lab-plain30'], { env, cwd });
    await run.until(/Select a quality/);
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('text from a platform', () => {
  const nasty = `Free${esc}[2J${esc}]0;owned\u0007 \u202egpj.exe\u202c\r\u009b31m\u0000 film/../../x`;
  const obeyed = /(?![\n])[\p{Cc}\p{Cf}]/u;
  let service: FakeService;

  beforeEach(async () => {
    service = await startFakeService((url) => ({
      '/p1/v3/video/details?videoId=lab-removed': {
        json: {
          error: { message: nasty, code: 'not_found', statusCode: 404, retryable: false, reason: nasty },
          metadata: {},
        },
      },
      '/p1/v3/search': {
        json: {
          error: null,
          metadata: {
            additionalData: {
              searchResults: {
                results: [{ type: 'video', id: 'a', title: nasty, channel: { name: nasty } }],
                nextToken: null,
              },
            },
          },
        },
      },
      '/p1/v3/video/details': { json: details(url) },
      '/start': {
        json: {
          jobId: 'j',
          status: 'queued',
          message: nasty,
          statusUrl: `${url}/status`,
          sseStatusUrl: `${url}/status`,
        },
      },
      '/status': {
        events: [
          statusOf({
            status: 'done',
            output: {
              url: `${url}/file`,
              size: 1e18,
              sizeText: nasty,
              key: 'k',
              notes: [{ code: nasty, message: nasty }],
            },
          }),
        ],
      },
      '/api/v1/render/status/sse/failed': { events: [statusOf({ status: 'failed', ...failure })] },
    }));
  });

  afterEach(() => service.close());

  const metadata = { mime_type: 'video/mp4', width: 16, height: 9, has_audio: true };

  function details(url: string) {
    const links = { executionUrl: `${url}/start`, statusUrl: `${url}/status`, sseStatusUrl: `${url}/status` };
    const videos = [
      { label: nasty, url: `${url}/file`, repId: '1', metadata: { ...metadata, mime_type: `video/${nasty}` } },
    ];
    const renderableVideos = [{ label: nasty, repId: '1', metadata, renderConfig: links }];
    return {
      error: null,
      contents: [{ videos, renderableVideos }],
      metadata: { title: nasty, author: { name: nasty } },
      notes: [nasty],
    };
  }

  const failure = { error: nasty, error_code: 'processing_failed', retryable: true, input: 0 };

  function statusOf(more: object) {
    const times = { created_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T01:00:00Z' };
    const none = { error: null, error_code: null, retryable: null, input: null };
    return { job_id: 'j', progress: 100, output: null, ...none, ...times, ...more };
  }

  test.each([
    ['info', ['info', 'lab-plain30'], 0],
    ['info as JSON', ['info', 'lab-plain30', '--json'], 0],
    ['search', ['search', 'x'], 0],
    ['an error', ['info', 'https://youtu.be/lab-removed'], 3],
    ['an error as JSON', ['get', 'https://youtu.be/lab-removed', '--json'], 3],
    ['a failed render', ['watch', 'failed'], 4],
    ['events', ['watch', 'failed', '--events'], 4],
  ])('never reaches the terminal raw: %s', async (_, words, code) => {
    const ended = await millrace(words, { env: { MILLRACE_URL: service.url, MILLRACE_KEY: 'k' }, cwd });
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining('gpj.exe')]);
    expect(ended.stdout + ended.stderr).not.toMatch(obeyed);
  });

  test('is sanitised before it becomes a file name, and a file without enough disk space leaves nothing', async () => {
    const here = { env: { MILLRACE_URL: service.url, MILLRACE_KEY: 'k' }, cwd };
    const ended = await millrace(['get', 'lab-plain30'], here);
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringMatching(/The disk of \. has .* free, but 1000000\.00 TB are needed/),
    ]);
    expect(ended.stderr).not.toMatch(obeyed);
    expect(await readdir(cwd)).toEqual([]);
    await writeFile(join(cwd, 'Free[2J]0;owned gpj.exe31m film_.._.._x.mp4'), 'mine');
    expect((await millrace(['get', 'lab-plain30'], here)).stderr).toContain(
      'Free[2J]0;owned gpj.exe31m film_.._.._x.mp4 already exists.',
    );
  });
});

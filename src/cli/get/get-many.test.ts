import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestClient, errorResponse, jsonResponse, type RequestHandler } from '#client/testing/test-client.ts';
import { parseLink } from '../command-line/link-argument.ts';
import { createBatchReporter } from '../reporting/batch-reporter.ts';
import type { Session } from '../service/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { recordingStream } from '../testing/recording-stream.ts';
import { resolveDestination } from './destination.ts';
import { getMany } from './get-many.ts';
import type { GetValues } from './get-options.ts';
import { createNames } from './names.ts';

const api = 'https://api.example';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-many-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Serves a video of 10 bytes titled "Film" for every ID, except those that fail with the code in their ID. */
const service: RequestHandler = ({ url }) => {
  if (url.pathname.startsWith('/relay/')) return new Response('0123456789', { headers: { 'content-length': '10' } });
  const id = url.searchParams.get('videoId') ?? '';
  if (id.startsWith('denied')) return errorResponse(401, 'invalid_user_details', { retryable: false });
  if (id.startsWith('missing')) return errorResponse(404, 'not_found', { retryable: false });
  if (id.startsWith('tempora')) return errorResponse(502, 'source_unavailable', { retryable: true });
  const metadata = { mime_type: 'video/mp4', width: 16, height: 9, has_audio: true };
  const videos = [{ label: '360p', url: `${api}/relay/${id}`, repId: id, metadata }];
  return jsonResponse({ error: null, contents: [{ videos }], metadata: { title: 'Film' } });
};

/** Gets videos as a command does. Returns the exit code, the output, and the files. */
async function run(ids: readonly string[], values: GetValues = {}, concurrency = 2) {
  const { client, requests } = createTestClient(service, { retries: 0 });
  const lines: string[] = [];
  let output = '';
  const terminal: Terminal = {
    print: async (text) => {
      output += text;
    },
    write: async () => undefined,
    say: (text) => lines.push(text),
    ...{ interactive: false, outputIsTerminal: false },
    input: process.stdin,
    error: recordingStream().stream,
  };
  const ready = async () => undefined;
  const session: Session = {
    ...{ client, service: api, persistent: true, origin: api, canRender: false },
    ...{ ready, close: ready },
  };
  const context = {
    ...{ values: { json: true, ...values }, session, terminal },
    shape: { quality: 'best', extension: undefined, parameters: {} },
    destination: await resolveDestination(`${folder}/`),
    names: createNames(),
    keepsExisting: true,
    prompts: false,
    reporter: { step: () => undefined, status: () => undefined, say: () => undefined, close: () => undefined },
    signal: new AbortController().signal,
  };
  const targets = ids.map((id) => ({ text: id, link: parseLink(`https://youtu.be/${id}`) }));
  const options = { shape: context.shape, items: undefined, concurrency, limits: {} };
  const code = await getMany(targets, options, context, createBatchReporter(terminal, context.values));
  return { code, result: JSON.parse(output), lines, requests, files: (await readdir(folder)).toSorted() };
}

describe('getMany', () => {
  test('names items with the same title after their position, in every run', async () => {
    const ids = ['video-00001', 'video-00002', 'video-00003'];
    const names = ['Film (2).mp4', 'Film (3).mp4', 'Film.mp4'];
    const first = await run(ids, {}, 3);
    expect([first.code, first.files]).toEqual([0, names]);
    const second = await run(ids, {}, 3);
    expect([second.code, second.files, second.result.files]).toEqual([0, names, []]);
    expect(second.result.skipped.map(({ item, code }: Record<string, unknown>) => [item, code])).toEqual([
      [1, 'exists'],
      [2, 'exists'],
      [3, 'exists'],
    ]);
  });

  test.each([
    ['their exit code', ['missing-001', 'video-00001', 'missing-002'], 3],
    ['1, if they differ', ['missing-001', 'video-00001', 'temporary-1'], 1],
  ])('reports failures and fetches the rest, and returns %s', async (_, ids, code) => {
    const ended = await run(ids);
    expect([ended.code, ended.files]).toEqual([code, ['Film.mp4']]);
    expect(ended.result.failed.map(({ item }: { item: number }) => item)).toEqual([1, 3]);
    expect(ended.lines.filter((line) => line.startsWith('['))).toEqual([
      expect.stringMatching(/^\[1\] missing-001: /),
      expect.stringMatching(/^\[3\] /),
    ]);
  });

  test('throws the error of the only item', async () => {
    await expect(run(['missing-001'])).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['if the key is rejected', 'denied-0001', {}],
    ['with --fail-fast', 'missing-001', { 'fail-fast': true }],
  ])('stops at the first failure %s', async (_, failing, values) => {
    const ended = await run([failing, 'video-00001', 'video-00002'], values, 1);
    expect([ended.requests.length, ended.files, ended.result.failed.length]).toEqual([1, [], 1]);
  });

  test('keeps existing files only until --force replaces them', async () => {
    await run(['video-00001', 'missing-001']);
    const { result } = await run(['video-00001', 'missing-001'], { force: true });
    expect(result.files).toHaveLength(1);
  });

  test('lists items in the archive even if their files exist already', async () => {
    await run(['video-00001', 'missing-001']);
    const archive = join(folder, 'seen');
    await run(['video-00001', 'missing-001'], { archive });
    const { result, requests } = await run(['video-00001', 'missing-001'], { archive });
    expect(result.skipped).toMatchObject([{ item: 1, code: 'archived' }]);
    expect(requests.filter(({ url }) => url.search.includes('video-00001'))).toEqual([]);
  });
});

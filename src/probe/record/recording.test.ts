import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineEndpoint } from '../../platforms/define-endpoint.ts';
import type { SourceClient, SourceResponse } from '../../platforms/platform.ts';
import { fakeSite } from '../../platforms/testing/fake-site.ts';
import { createRecorder } from '../../recording/exchange-recorder.ts';
import { recordEndpoint } from '../../recording/record-endpoint.ts';
import { readProbeRecordings } from '../testing/probe-recordings.ts';
import { replayedSource } from '../testing/replayed-source.ts';
import { saveRecording } from './save-recording.ts';

const site = 'https://site.example';
const visitor = 'CgtaYmNkMTIzNDU2NyiBgIDBBg%3D%3D';

/** An endpoint that requests a page and, with a value of the page, the data of a script and a short link. */
const endpoint = defineEndpoint({
  path: '/post/details',
  summary: 'A post',
  parameters: Type.Object({}),
  credits: 1,
  contents: false,
  subjects: () => ({}),
  async extract(_parameters, { source }) {
    const page = await source.get(`${site}/post/1`, { headers: { cookie: 'mid=secret-1234' } });
    const token = /"visitorData":"([^"]*)"/.exec(page.text)?.[1] ?? '';
    const data = await source.post(`${site}/api?at=${Date.now()}`, { visitorData: token });
    const short = await source.get('https://short.example/x');
    const author = new URLSearchParams({ name: 'someone' });
    const profile = await source.post(`${site}/profile`, author);
    const texts = [page, data, profile].map(({ text }) => text);
    return { metadata: { title: texts.join('\n'), additionalData: { url: short.url } } };
  },
});

function reply({ url, body }: { url: URL; body?: unknown }): {
  body: unknown;
  url?: string;
  headers?: SourceResponse['headers'];
} {
  switch (url.pathname) {
    case '/post/1':
      return {
        body: `<script>{"visitorData":"${visitor}"}</script>`,
        headers: { 'set-cookie': ['mid=fresh-9876; Path=/'], 'content-type': 'text/html', absent: undefined },
      };
    case '/api':
      return { body: '{"id":1,"large":12345678901234567890}' };
    case '/profile':
      return { body: { body } };
    default:
      return { body: 'the target', url: `${site}/post/1?from=short` };
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function record(strategy?: string) {
  const recorder = createRecorder();
  const { context } = fakeSite(reply);
  const extraction = await recordEndpoint(endpoint, recorder).extract({}, context);
  const probe = { name: 'post', endpoint: '/post/details', parameters: { id: '1' }, expects: ['metadata.title'] };
  const probeCase = { platform: 'p9', endpoint, probe, ...(strategy === undefined ? {} : { strategy }) };
  await saveRecording(folder, probeCase, [...recorder.exchanges()]);
  return extraction;
}

async function savedExchange(number: number): Promise<unknown> {
  const bytes = await readFile(join(folder, 'p9', 'probes', 'post', `${number}.json.gz`));
  return JSON.parse(gunzipSync(bytes).toString());
}

describe('a recording of a probe', () => {
  test('contains every exchange in the order of the requests, and the probe', async () => {
    await record();
    const { path, files } = { path: join(folder, 'p9', 'probes', 'post'), files: ['1', '2', '3', '4', '5'] };
    expect((await readdir(path)).toSorted()).toEqual([...files.map((name) => `${name}.json.gz`), 'probe.json']);
    expect(await savedExchange(2)).toMatchObject({
      source: { tool: 'millrace', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      request: {
        method: 'POST',
        url: expect.stringMatching(/\/api\?at=\d+$/),
        body: { visitorData: expect.any(String) },
      },
      // Large numbers would lose digits, so this response stays a text.
      response: { status: 200, headers: {}, body: '{"id":1,"large":12345678901234567890}' },
    });
    expect(await savedExchange(5)).toMatchObject({
      request: { body: 'name=someone' },
      response: { body: { body: { name: 'someone' } } },
    });
    expect(JSON.parse(await readFile(join(path, 'probe.json'), 'utf8'))).toEqual({
      platform: 'p9',
      endpoint: '/post/details',
      parameters: { id: '1' },
      expects: ['metadata.title'],
      date: expect.stringMatching(/^\d{4}-/),
    });
  });

  test('contains a redirect as two exchanges', async () => {
    await record();
    const target = `${site}/post/1?from=short`;
    expect(await savedExchange(3)).toMatchObject({
      request: { url: 'https://short.example/x' },
      response: { status: 302, headers: { location: [target] } },
    });
    expect(await savedExchange(4)).toMatchObject({ request: { url: target }, response: { body: 'the target' } });
  });

  test('contains no cookies and no visitor IDs', async () => {
    await record();
    const text = JSON.stringify(await Promise.all([1, 2, 3, 4, 5].map(savedExchange)));
    for (const secret of [visitor, 'secret-1234', 'fresh-9876']) expect(text).not.toContain(secret);
  });

  test('replays the extraction', async () => {
    const extraction = await record('page');
    const [recording] = readProbeRecordings([folder]);
    expect(recording).toMatchObject({ platform: 'p9', strategy: 'page', name: 'p9 post.page' });
    const source = replayedSource(recording?.exchanges ?? []);
    const replayed = await endpoint.extract({}, { ...fakeSite(reply).context, source });
    expect(replayed.metadata.additionalData).toEqual(extraction.metadata.additionalData);
    expect(replayed.metadata.title?.split('\n').slice(1)).toEqual(extraction.metadata.title?.split('\n').slice(1));
  });

  test('stays in its folder, whatever its name is', async () => {
    const probe = { name: '../../post', endpoint: '/x', parameters: {}, expects: [] };
    await saveRecording(folder, { platform: 'p9', endpoint, probe, strategy: 'reel, web host' }, []);
    expect(await readdir(join(folder, 'p9', 'probes'))).toEqual(['-post.reel-web-host']);
  });

  test('replaces an earlier one', async () => {
    await record();
    await saveRecording(
      folder,
      { platform: 'p9', endpoint, probe: { name: 'post', endpoint: '/x', parameters: {}, expects: [] } },
      [],
    );
    expect(await readdir(join(folder, 'p9', 'probes', 'post'))).toEqual(['probe.json']);
  });
});

test('a failed request is not recorded', async () => {
  const recorder = createRecorder();
  const client: SourceClient = {
    get: () => Promise.reject(new Error('broken')),
    post: () => Promise.reject(new Error('broken')),
  };
  await expect(recorder.wrap(client).get(site)).rejects.toThrow('broken');
  expect([...recorder.exchanges()]).toEqual([]);
});

test('a replayed source repeats the last response for a path, and has none for another path', async () => {
  const recorder = createRecorder();
  await recorder.wrap(fakeSite(reply).context.source).get(`${site}/post/1`);
  const source = replayedSource([...recorder.exchanges()]);
  const texts = [await source.get(`${site}/post/1`), await source.get(`${site}/post/1?again`)].map(({ text }) => text);
  expect(texts[0]).toBe(texts[1]);
  await expect(source.get(`${site}/post/2`)).rejects.toMatchObject({ code: 'connection_error' });
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serviceCaller } from '../../../contract/caller.ts';
import { parseJob } from '../../../contract/parse-job.ts';
import { createEgress } from '../../../egress/create-egress.ts';
import { type ReceivedRequest, type RequestHandler, serveWhole, startOrigin } from '../testing/origin.ts';
import { fetchAdditions } from './fetch-additions.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-additions-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(directory, { recursive: true, force: true });
});

interface Options {
  readonly signal?: AbortSignal;
  readonly total?: number;
}

/** Fetches the additions of a job whose URLs are paths of an origin, which only that origin's address may be reached at. */
async function run(
  handlers: Record<string, RequestHandler>,
  output: (origin: string) => object,
  { signal = new AbortController().signal, total = 1_000_000_000 }: Options = {},
) {
  const requestLog: ReceivedRequest[] = [];
  const origin = await startOrigin(handlers, requestLog);
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const job = parseJob({
    id: 'job',
    inputs: [{ url: 'https://a.example/v', ext: 'mp4' }],
    output: { ext: 'mp4', ...output(origin.url) },
    operation: { type: 'join_streams' },
    limits: { inputSize: { total } },
  });
  try {
    const fetched = await fetchAdditions(job, {
      egress,
      caller: serviceCaller,
      signal,
      pause: async () => undefined,
      directory,
    });
    const { cover, subtitles } = fetched;
    const paths = [...(cover === undefined ? [] : [cover]), ...subtitles].map(({ path }) => path);
    const texts = await Promise.all(paths.map(async (path) => (await readFile(path)).toString('latin1', 0, 20)));
    return { ...fetched, texts, requestLog, messages: fetched.notes.map(({ message }) => message) };
  } finally {
    await egress.close();
    await origin.close();
  }
}

const redirectTo = (location: string): RequestHandler => {
  return (_request, response) => void response.writeHead(302, { location }).end();
};
const coverAt = (path: string) => (origin: string) => ({ cover: { url: `${origin}${path}` } });

test('fetches a cover and subtitles, and writes subtitles that are part of the job', async () => {
  const { texts, cover, subtitles, notes, bytes } = await run(
    { '/c': serveWhole(Buffer.from('cover')), '/s': serveWhole(Buffer.from('WEBVTT')) },
    (origin) => ({
      cover: { url: `${origin}/c` },
      subtitles: [
        { url: `${origin}/s`, format: 'vtt', language: 'de', title: 'Deutsch', default: true },
        { content: '1\n', format: 'srt' },
      ],
    }),
  );
  expect([texts, notes, bytes]).toEqual([['cover', 'WEBVTT', '1\n'], [], 11]);
  expect(cover).toBeDefined();
  expect(subtitles).toMatchObject([
    { addition: 0, format: 'vtt', language: 'de', title: 'Deutsch', default: true },
    { addition: 1, format: 'srt', default: false },
  ]);
});

test('sends headers only to the origin of the URL', async () => {
  const other = await startOrigin({ '/c': serveWhole(Buffer.from('cover')) });
  try {
    const { requestLog, texts } = await run({ '/c': redirectTo(`${other.url}/c`) }, (origin) => ({
      cover: { url: `${origin}/c`, requestOptions: { headers: { cookie: 'secret', referer: 'https://r.example/' } } },
    }));
    expect(texts).toEqual(['cover']);
    expect(requestLog[0]?.headers).toMatchObject({ cookie: 'secret', referer: 'https://r.example/' });
    expect(other.requestLog[0]?.headers.cookie).toBeUndefined();
    expect(other.requestLog[0]?.headers.referer).toBe('https://r.example/');
  } finally {
    await other.close();
  }
});

describe('an addition that is not available is left out with a note', () => {
  test.each<[string, RequestHandler | undefined, RegExp]>([
    ['is missing', undefined, /127\.0\.0\.1:\d+ returned 404\.$/],
    [
      'is a web page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /page/,
    ],
    ['redirects to a private address', redirectTo('http://10.0.0.1/'), /10\.0\.0\.1 is not a public address/],
    ['redirects to the host itself', redirectTo('http://127.0.0.2/'), /127\.0\.0\.2 is not a public address/],
    ['redirects to metadata', redirectTo('http://169.254.169.254/'), /169\.254\.169\.254 is not a public address/],
    ['is too large', serveWhole(Buffer.alloc(10_000_001)), /it is larger than/],
    ['keeps failing', (_, response) => void response.writeHead(503).end(), /returned 503\.$/],
    ['never arrives completely', serveWhole(Buffer.alloc(9), () => 3), /^The cover image was left out: /],
  ])('because it %s', async (_name, handler, message) => {
    const { notes, cover, messages } = await run(handler === undefined ? {} : { '/c': handler }, coverAt('/c'));
    expect(cover).toBeUndefined();
    expect(notes.map(({ code }) => code)).toEqual(['cover_left_out']);
    expect(messages[0]).toMatch(message);
    expect(messages[0]).toMatch(/^The cover image was left out: (?!The cover image)[^:]+(:\d+)?[^:]*\.$/);
  });

  test('because subtitles of unknown length are too large', async () => {
    let sentBytes = 0;
    const endless = (response: ServerResponse) => {
      response.on('error', () => undefined);
      const send = () => {
        if (response.destroyed || sentBytes >= 50_000_000) return void response.end();
        sentBytes += 100_000;
        response.write(Buffer.alloc(100_000, 'a'), (error) => (error ? undefined : send()));
      };
      send();
    };
    const { messages, subtitles, bytes } = await run({ '/s': (_, response) => endless(response) }, (origin) => ({
      subtitles: [
        { content: 'x', format: 'srt' },
        { url: `${origin}/s`, format: 'srt' },
      ],
    }));
    expect(messages).toEqual([expect.stringMatching(/^Subtitles 2 were left out: it is larger than 5/)]);
    expect(subtitles.map(({ addition }) => addition)).toEqual([0]);
    expect(bytes).toBe(0);
    expect(sentBytes).toBeLessThan(50_000_000);
  });

  test('because it is larger than all inputs of the job may be', async () => {
    const { messages } = await run({ '/c': serveWhole(Buffer.alloc(101)) }, coverAt('/c'), { total: 100 });
    expect(messages).toEqual([expect.stringMatching(/larger than 100/)]);
  });

  test('because it arrives too slowly', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drip: RequestHandler = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('a', () => vi.advanceTimersByTime(20_000));
    };
    const { messages } = await run({ '/c': drip }, coverAt('/c'));
    expect(messages).toEqual(['The cover image was left out: it was not downloaded within 20 s.']);
  });
});

test('ends with the reason of an aborted job', async () => {
  const abort = new AbortController();
  const handler: RequestHandler = () => abort.abort(new Error('the run is lost'));
  await expect(run({ '/c': handler }, coverAt('/c'), { signal: abort.signal })).rejects.toThrow('the run is lost');
});

test('ends with the error of a file that cannot be written', async () => {
  await rm(directory, { recursive: true });
  await expect(run({ '/c': serveWhole(Buffer.from('a')) }, coverAt('/c'))).rejects.toMatchObject({ code: 'ENOENT' });
});

import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { type RequestHandler, rangeOf, startOrigin } from '../download/testing/origin.ts';
import { emptyDash } from '../engine/testing/make-dash.ts';
import { type MediaDirectory, makeTestDirectory } from '../engine/testing/test-media.ts';
import { fetchMedia } from './fetch-media.ts';
import { createTestEngine } from './testing/test-engine.ts';

const MIB = 1024 * 1024;
const timeout = 10_000;

let directory: MediaDirectory;
beforeEach(() => {
  directory = makeTestDirectory();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  directory.remove();
});

/**
 * Fetches two DASH files of six MiB. `before` is called for each request with its number, and returns the file's ETag.
 *
 * @param refusedIndex Index of the file that the source refuses, from 0.
 */
async function fetchPair(
  before: (count: number, from: number) => string,
  refusedIndex?: number,
  { output = {}, total = 100 * MIB }: { readonly output?: object; readonly total?: number } = {},
) {
  const files = [emptyDash('video', 6 * MIB), emptyDash('audio', 6 * MIB)];
  let count = 0;
  const serve = (bytes: Buffer, index: number): RequestHandler => {
    return (request, response) => {
      if (index === refusedIndex) return void response.writeHead(403).end();
      const { from, to } = rangeOf(request, bytes.length) ?? { from: 0, to: bytes.length - 1 };
      count += 1;
      const etag = before(count, from);
      const head = { etag, 'content-range': `bytes ${from}-${to}/${bytes.length}`, 'content-length': to - from + 1 };
      response.writeHead(206, head).end(bytes.subarray(from, to + 1));
    };
  };
  const [video, audio] = files.map(serve);
  if (video === undefined || audio === undefined) throw new Error('there are two files');
  const origin = await startOrigin({ '/v': video, '/a': audio });
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const job = parseJob({
    id: 'job',
    inputs: ['/v', '/a'].map((path) => ({ url: `${origin.url}${path}`, ext: 'mp4', timeout })),
    output: { ext: 'mp4', ...output },
    operation: { type: 'join_streams' },
    limits: { inputSize: { total } },
  });
  const context = {
    egress,
    caller: serviceCaller,
    directory: directory.path,
    signal: new AbortController().signal,
    pause: async () => undefined,
    onProgress: () => undefined,
  };
  try {
    return await fetchMedia(job, context, createTestEngine().engine, pino({ level: 'silent' }));
  } finally {
    await egress.close();
    await origin.close();
  }
}

/** The two heads have arrived after two requests. Then the sources change, and the inputs are fetched whole. */
const changing = (count: number) => (count <= 2 ? '"1"' : '"2"');

test('writes DASH files directly to their place in the result', async () => {
  expect(await fetchPair(() => '"1"')).toMatchObject({ kind: 'placed' });
});

test('fetches DASH files whole if they change during the download', async () => {
  expect(await fetchPair(changing)).toMatchObject({ kind: 'whole' });
});

test('fetches DASH files whole if the job adds subtitles', async () => {
  const output = { subtitles: [{ content: '1', format: 'srt' }] };
  expect(await fetchPair(() => '"1"', undefined, { output })).toMatchObject({
    kind: 'whole',
    additions: { subtitles: [{ addition: 0, format: 'srt' }], notes: [], bytes: 0 },
  });
});

test('fetches a cover, and counts its bytes towards the limit of all inputs', async () => {
  const cover = await startOrigin({ '/c': (_, response) => void response.end(Buffer.alloc(1000)) });
  const output = { cover: { url: `${cover.url}/c` } };
  try {
    const fetched = await fetchPair(() => '"1"', undefined, { output });
    expect(fetched).toMatchObject({ kind: 'whole', additions: { bytes: 1000, notes: [] } });
    await expect(fetchPair(() => '"1"', undefined, { output, total: 12 * MIB })).rejects.toMatchObject({
      code: 'input_too_large',
      message: expect.stringContaining('The inputs, the cover and the subtitles are too large together'),
    });
  } finally {
    await cover.close();
  }
});

test('reports the number of a DASH file that its source refuses', async () => {
  await expect(fetchPair(() => '"1"', 1)).rejects.toMatchObject({ code: 'source_refused', input: 1 });
});

test('applies the timeout of an input to all fallbacks together', async () => {
  let remainingMs = timeout;
  const pass = (milliseconds: number) => {
    remainingMs -= milliseconds;
    vi.advanceTimersByTime(milliseconds);
  };
  const result = fetchPair((count, from) => {
    // Most of the timeout passes before the source changes, and the rest when the inputs are fetched again.
    if (count === 3) pass(timeout - 1000);
    if (count > 3 && from === 0 && remainingMs > 0) pass(1000);
    return changing(count);
  });
  await expect(result).rejects.toMatchObject({ code: 'download_timeout' });
  expect(remainingMs).toBe(0);
});

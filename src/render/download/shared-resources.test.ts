import { createCipheriv } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createBytes, download, hash } from './testing/downloads.ts';
import { type ReceivedRequest, type RequestHandler, rangeOf, serveWhole } from './testing/origin.ts';
import { createPlaylist, respondWith } from './testing/playlist-handlers.ts';

const bytes = createBytes(500_000);
const ends = [120_000, 250_000, 400_000, bytes.length];

/** A playlist whose segments are ranges of one file. */
function playlistOf(sizes: readonly number[], tags: readonly string[] = []): RequestHandler {
  let from = 0;
  const lines = sizes.flatMap((size) => {
    const range = `#EXT-X-BYTERANGE:${size}@${from}`;
    from += size;
    return ['#EXTINF:4,', range, '/file'];
  });
  return respondWith(createPlaylist([...tags, ...lines]));
}

const playlist = playlistOf(ends.map((end, index) => end - (ends[index - 1] ?? 0)));

/** Serves ranges. The headers and bytes may change with each response. */
function serveRanges(next: (count: number) => { headers: Record<string, string>; body: Buffer }, total?: '*') {
  let count = 0;
  const handler: RequestHandler = (request, response) => {
    count += 1;
    const { headers, body } = next(count);
    const range = rangeOf(request, body.length);
    const { from, to } = range ?? { from: 0, to: body.length - 1 };
    const place = range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${total ?? body.length}` };
    response.writeHead(range === undefined ? 200 : 206, { ...headers, ...place }).end(body.subarray(from, to + 1));
  };
  return handler;
}

const fetchWith = (file: RequestHandler, list = playlist, log: ReceivedRequest[] = [], others = {}) =>
  download({ '/list': list, '/file': file, ...others }, [{ url: '/list', ext: 'm3u8' }], {}, log);

describe('segments that are ranges of one file', () => {
  const backends = (body: Buffer, total?: '*') =>
    serveRanges((count) => ({ headers: { etag: `"${count}"` }, body }), total);

  test.each<readonly [string, RequestHandler]>([
    ['whose backends have different tags', backends(bytes)],
    ['whose backends have different tags and do not state the size', backends(bytes, '*')],
    ['that is only sent whole', serveWhole(bytes)],
    ['that is sent whole without its length', respondWith(bytes)],
  ])('are exact parts of a file %s', async (_what, serve) => {
    const log: ReceivedRequest[] = [];
    const { files } = await fetchWith(serve, playlist, log);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(log.filter(({ url, range }) => url === '/file' && range === undefined)).toHaveLength(1);
  });

  test('are exact if they are encrypted, and the backends have different tags', async () => {
    const [key, iv] = [Buffer.alloc(16, 7), Buffer.alloc(16, 9)];
    const encrypt = (part: Buffer) => {
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      return Buffer.concat([cipher.update(part), cipher.final()]);
    };
    const coded = [bytes.subarray(0, 100_000), bytes.subarray(100_000)].map(encrypt);
    const list = playlistOf(
      coded.map(({ length }) => length),
      [`#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x${iv.toString('hex')}`],
    );
    const { files } = await fetchWith(backends(Buffer.concat(coded)), list, [], { '/key': respondWith(key) });
    expect(hash(files[0])).toBe(hash(bytes));
  });

  const other = createBytes(bytes.length).fill(1, 200_000);
  const dated = (second: number) => ({ etag: 'W/"1"', 'last-modified': `Sun, 01 Nov 2026 10:00:0${second} GMT` });
  test.each<readonly [string, (count: number) => Record<string, string>]>([
    ['tag', (count) => ({ etag: count > 2 ? '"2"' : '"1"' })],
    ['date', (count) => dated(count > 2 ? 2 : 1)],
  ])('are never joined if the file changes with its %s, but not with its size', async (_what, headersOf) => {
    const serve = serveRanges((count) => ({ headers: headersOf(count), body: count > 2 ? other : bytes }));
    const { code, message } = await fetchWith(serve).then(
      () => ({ code: 'done', message: '' }),
      (error: unknown) => error as { code: string; message: string },
    );
    expect(code).toBe('download_incomplete');
    expect(message).toMatch(/^Input 1 could not be fetched completely: Segment \d of 4 of input 1 has a new version\./);
  });
});

describe('the size of an input', () => {
  // Not text, which is refused.
  const body = Buffer.alloc(150_000, 255);
  const paths = Array.from({ length: 12 }, (_, index) => `/file-${index}`);
  const serveCoded: RequestHandler = (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
  };
  const part = ['#EXT-X-BYTERANGE:1000@1000'];
  const alone = { perInput: 500_000 };
  const together = { perInput: 2_000_000, total: 2_000_000 };
  const ofInput = /^Input 1 is too large/;
  const ofAll = /^The inputs are too large/;

  test.each<readonly [string, RequestHandler, readonly string[], { perInput: number; total?: number }, RegExp]>([
    ['files that are sent whole for a part of them', serveWhole(body), part, alone, ofInput],
    ['files with a content coding that are sent whole for a part of them', serveCoded, part, alone, ofInput],
    ['segments with a content coding', serveCoded, [], alone, ofInput],
    ['files of all inputs that are sent whole for a part of them', serveWhole(body), part, together, ofAll],
  ])('is that of all %s', async (_what, serve, tags, inputSize, message) => {
    const log: ReceivedRequest[] = [];
    const list = respondWith(createPlaylist(paths.flatMap((path) => ['#EXTINF:4,', ...tags, path])));
    const handlers = Object.fromEntries(paths.map((path) => [path, serve]));
    const inputs = (inputSize.total === undefined ? [1] : [1, 2]).map(() => ({ url: '/list', ext: 'm3u8' }));
    const downloading = download({ '/list': list, ...handlers }, inputs, { limits: { inputSize } }, log);
    await expect(downloading).rejects.toMatchObject({
      code: 'input_too_large',
      message: expect.stringMatching(message),
    });
    const whole = log.filter(({ url, range }) => url !== '/list' && range === undefined);
    const [most, connections] = [Math.floor(inputSize.perInput / body.length), 6 * inputs.length];
    expect(whole.length).toBeLessThanOrEqual(most + connections);
  });

  test('is that of the largest response to each segment', async () => {
    let count = 0;
    // Each first response decodes to many bytes and then breaks off; the next one is short.
    const serve: RequestHandler = (_request, response) => {
      count += 1;
      if (count % 2 === 0) return void response.writeHead(200).end(body.subarray(0, 1000));
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .write(gzipSync(body).subarray(0, -8), () => response.destroy());
    };
    const list = respondWith(createPlaylist(paths.flatMap((path) => ['#EXTINF:4,', path])));
    const handlers = Object.fromEntries(paths.map((path) => [path, serve]));
    const input = { url: '/list', ext: 'm3u8', HLSPlaylistDownload: { concurrency: 1 } };
    const downloading = download({ '/list': list, ...handlers }, [input], { limits: { inputSize: alone } });
    await expect(downloading).rejects.toMatchObject({ code: 'input_too_large' });
  });
});

import { createCipheriv } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createBytes, download, hash } from './testing/downloads.ts';
import { type ReceivedRequest, type RequestHandler, rangeOf, serveRanges } from './testing/origin.ts';
import {
  concatenatedSegments,
  createPlaylist,
  playlistHandler,
  respondWith,
  segmentHandlers,
  segments,
} from './testing/playlist-handlers.ts';

const workingHandlers = { '/a': playlistHandler, ...segmentHandlers((bytes) => serveRanges(bytes)) };

function respondWithType(content: string, type: string): RequestHandler {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(content) }).end(content);
  };
}

const fetchWith = (third: RequestHandler, requestLog: ReceivedRequest[] = []) =>
  download({ ...workingHandlers, '/seg-2': third }, [{ url: '/a', ext: 'm3u8' }], {}, requestLog);

describe('a segment response with status 200 but other content', () => {
  test.each([
    ['JSON', '{"error":"token expired"}', 'application/json', 'a JSON document'],
    ['text', 'Access denied', 'text/plain', 'text'],
    ['text in UTF-8', 'Accès refusé — lien expiré', 'video/mp2t', 'text'],
    ['a page that claims to be media', '\n<!doctype html><html>Sign in</html>', 'video/mp2t', 'a web page'],
    ['a page', '<html>Sign in</html>', 'text/html', 'a web page'],
  ])('is rejected without a retry: %s', async (_name, content, type, what) => {
    const requestLog: ReceivedRequest[] = [];
    await expect(fetchWith(respondWithType(content, type), requestLog)).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringMatching(`^Segment 3 of 12 of input 1: .* returned ${what} instead of media\\. Request`),
      input: 0,
    });
    expect(requestLog.filter(({ url }) => url === '/seg-2')).toHaveLength(1);
  });

  test('is retried like any incomplete response if it is empty, and then reported as incomplete', async () => {
    const requestLog: ReceivedRequest[] = [];
    await expect(fetchWith(respondWithType('', 'video/mp2t'), requestLog)).rejects.toMatchObject({
      code: 'download_incomplete',
      retryable: true,
      message: 'Segment 3 of 12 of input 1 is empty. Start the same job again.',
    });
    expect(requestLog.filter(({ url }) => url === '/seg-2')).toHaveLength(6);
  });

  test('is accepted on the next attempt after an empty one', async () => {
    let tries = 0;
    const late: RequestHandler = (request, response) => {
      tries += 1;
      if (tries < 3) response.writeHead(200).end();
      else serveRanges(segments[2] ?? createBytes(1))(request, response);
    };
    const { files } = await fetchWith(late);
    expect(hash(files[0])).toBe(hash(concatenatedSegments));
  });

  test('is fetched again from its start if a compressed response breaks off', async () => {
    const whole = segments[2] ?? createBytes(1);
    const coded = gzipSync(whole);
    let tries = 0;
    const breaking: RequestHandler = (request, response) => {
      tries += 1;
      if (tries > 1) return serveRanges(whole)(request, response);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': coded.length });
      response.write(coded.subarray(0, 100_000), () => response.destroy());
    };
    const { files } = await fetchWith(breaking);
    expect(hash(files[0])).toBe(hash(concatenatedSegments));
  });

  test('is rejected if it is JSON in place of an encrypted segment', async () => {
    const key = Buffer.alloc(16, 7);
    const iv = Buffer.alloc(16, 9);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const ciphertext = Buffer.concat([cipher.update(createBytes(10_000)), cipher.final()]);
    const tag = `#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x${iv.toString('hex')}`;
    const playlist = createPlaylist([tag, '#EXTINF:4,', '/one', '#EXTINF:4,', '/two']);
    const handlers = { '/a': respondWith(playlist), '/key': respondWith(key), '/one': respondWith(ciphertext) };
    const downloadWith = (two: string | Buffer) =>
      download({ ...handlers, '/two': respondWith(two) }, [{ url: '/a', ext: 'm3u8' }]);
    expect((await downloadWith(ciphertext)).files[0]).toHaveLength(20_000);
    await expect(downloadWith('{"error":"token expired"}')).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('Segment 2 of 2 of input 1'),
    });
  });
});

describe('a segment whose connection breaks', () => {
  const whole = segments[2] ?? createBytes(1);
  const other = createBytes(whole.length).fill(7, 0, 150_000);
  const modified = ['Sun, 01 Nov 2026 10:00:00 GMT', 'Mon, 02 Nov 2026 10:00:00 GMT'];
  type Headers = Readonly<Record<string, string>>;

  /** Sends the start of a segment, and then the rest of the next version, with other headers. */
  function breaking(first: Headers, next: Headers, bytes: Buffer): RequestHandler {
    let tries = 0;
    return (request, response) => {
      tries += 1;
      const { from, to } = rangeOf(request, bytes.length) ?? { from: 0, to: bytes.length - 1 };
      if (tries === 1) {
        response.writeHead(200, first);
        return void response.write(whole.subarray(0, 100_000), () => response.destroy());
      }
      const isPart = request.headers.range !== undefined;
      const place = isPart ? { 'content-range': `bytes ${from}-${to}/${bytes.length}` } : {};
      const length = 'content-length' in first ? { 'content-length': to + 1 - from } : {};
      response.writeHead(isPart ? 206 : 200, { ...place, ...length, ...next }).end(bytes.subarray(from, to + 1));
    };
  }

  const sized = { 'content-length': String(whole.length) };
  const [continued, restarted] = [
    ['', 'bytes=100000-'],
    ['', 'bytes=100000-', ''],
  ];
  test.each<readonly [string, Headers, Headers, readonly string[] | undefined]>([
    ['continues if it has the same tag', { etag: '"1"' }, { etag: '"1"' }, continued],
    ['starts again if it has another tag', { etag: '"1"' }, { etag: '"2"' }, restarted],
    ['starts again if nothing tells its version', {}, {}, restarted],
    ['continues if it has the same size, and nothing else tells', sized, {}, continued],
    ['continues if it has the same size and tag', { ...sized, etag: '"1"' }, { etag: '"1"' }, continued],
    ['starts again if it has the same size, but another tag', { ...sized, etag: '"1"' }, { etag: '"2"' }, restarted],
    ['starts again if it has the same size, but no tag', { ...sized, etag: '"1"' }, {}, restarted],
    [
      'starts again if it has the same size and weak tag, but another date',
      { ...sized, etag: 'W/"1"', 'last-modified': modified[0] ?? '' },
      { etag: 'W/"1"', 'last-modified': modified[1] ?? '' },
      restarted,
    ],
  ])('%s', async (_how, first, next, ranges) => {
    const requestLog: ReceivedRequest[] = [];
    const bytes = ranges === continued ? whole : other;
    const { files } = await fetchWith(breaking(first, next, bytes), requestLog);
    expect(hash(files[0])).toBe(hash(Buffer.concat(segments.map((segment, at) => (at === 2 ? bytes : segment)))));
    expect(requestLog.flatMap(({ url, range = '' }) => (url === '/seg-2' ? [range] : []))).toEqual(ranges);
  });
});

describe('media that starts in an unusual way', () => {
  test.each([
    ['an ID3 tag', Buffer.from('ID3\x04\0\0\0\0\0\x3fPRIV')],
    ['a byte that is no text', Buffer.from([0xff, 0xf1])],
    ['a picture that hides MPEG-TS', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['white space', Buffer.alloc(600, '\n')],
  ])('is accepted: %s', async (_name, begin) => {
    const { fetchedFiles } = await fetchWith(respondWith(Buffer.concat([begin, createBytes(1000)])));
    expect(fetchedFiles[0]?.parts).toHaveLength(1);
  });
});

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

describe('a segment of unknown size whose connection breaks', () => {
  const whole = segments[2] ?? createBytes(1);

  /** Sends the start of a segment in chunks, and then its rest as part of a file with another tag. */
  function breaking(firstTag: string | undefined, nextTag: string | undefined, next: Buffer): RequestHandler {
    let tries = 0;
    return (request, response) => {
      tries += 1;
      const { from, to } = rangeOf(request, next.length) ?? { from: 0, to: next.length - 1 };
      const tag = tries === 1 ? firstTag : nextTag;
      const place =
        request.headers.range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${next.length}` };
      response.writeHead('content-range' in place ? 206 : 200, {
        ...place,
        ...(tag === undefined ? {} : { etag: tag }),
      });
      if (tries === 1) response.write(whole.subarray(0, 100_000), () => response.destroy());
      else response.end(next.subarray(from, to + 1));
    };
  }

  test.each([
    ['continues if it has the same tag', '"1"', '"1"', ['', 'bytes=100000-']],
    ['starts again if it has another tag', '"1"', '"2"', ['', 'bytes=100000-', '']],
    ['starts again if it has no tag', undefined, undefined, ['', 'bytes=100000-', '']],
  ])('%s', async (_how, firstTag, nextTag, ranges) => {
    const requestLog: ReceivedRequest[] = [];
    const next = nextTag === '"2"' ? createBytes(300_000).fill(7, 0, 200_000) : whole;
    const { files } = await fetchWith(breaking(firstTag, nextTag, next), requestLog);
    expect(hash(files[0])).toBe(hash(Buffer.concat(segments.map((bytes, at) => (at === 2 ? next : bytes)))));
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

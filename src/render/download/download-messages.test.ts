import { describe, expect, test } from 'vitest';
import { createBytes, download, MIB } from './testing/downloads.ts';
import { type RequestHandler, serveRanges } from './testing/origin.ts';
import { playlistHandler, respondWith, segmentHandlers } from './testing/playlist-handlers.ts';

const page: RequestHandler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
};
const workingHandler = serveRanges(createBytes(1000));
const workingSegments = segmentHandlers((bytes) => serveRanges(bytes));

/** Returns the error of a download whose second input fails. */
async function failure(
  serve: RequestHandler,
  more: Record<string, unknown> = {},
  others: Record<string, RequestHandler> = {},
) {
  const inputs = [{ url: '/good' }, { url: '/bad', ...more }];
  return await download({ ...others, '/good': workingHandler, '/bad': serve }, inputs).catch((error: unknown) => error);
}

const respondWithStatus =
  (code: number, headers: Record<string, string> = {}): RequestHandler =>
  (_request, response) => {
    response.writeHead(code, headers).end();
  };

describe('a web page in place of a playlist', () => {
  test.each([
    ['by its type', page],
    ['by its bytes', respondWith('<!DOCTYPE html>\n<html>Sign in</html>')],
  ])('is rejected like a web page in place of media, detected %s', async (_name, serve) => {
    expect(await failure(serve, { ext: 'm3u8' })).toMatchObject({
      code: 'source_refused',
      input: 1,
      message: expect.stringMatching(/^Input 2: .* returned a web page instead of media\. Request new source links/),
    });
  });

  test('accepts a playlist with the content type of a web page', async () => {
    const lines = '#EXTM3U\n#EXTINF:4,\n/seg-0\n#EXT-X-ENDLIST';
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(lines);
    };
    const { fetchedFiles } = await download({ '/a': serve, ...workingSegments }, [{ url: '/a', ext: 'm3u8' }]);
    expect(fetchedFiles).toHaveLength(1);
  });
});

describe('timeout messages', () => {
  const slow = { timeout: 3000 };
  /** Returns a handler that passes the first `tries` requests to `first`, and never responds to later ones. */
  const respondAtFirst = (first: RequestHandler, tries: number): RequestHandler => {
    let requestCount = 0;
    return (request, response) => {
      requestCount += 1;
      if (requestCount <= tries) first(request, response);
    };
  };

  test.each<[string, RequestHandler, string]>([
    ['503', respondWithStatus(503), 'returned 503'],
    ['429', respondWithStatus(429), 'returned 429'],
    [
      'a reset',
      (_request, response) => void response.socket?.destroy(),
      'The connection to .* failed: connection closed',
    ],
    [
      'bad gzip',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no'),
      'gzip data is invalid \\(incorrect header check\\)',
    ],
    ['redirects', respondWithStatus(302, { location: '/bad' }), 'redirected more than \\d+ times'],
  ])('contain the last failure: %s', async (name, serve, cause) => {
    const tries = name === 'redirects' ? 12 : 2;
    expect(await failure(respondAtFirst(serve, tries), slow)).toMatchObject({
      code: 'download_timeout',
      message: expect.stringMatching(
        `^Input 2 was not downloaded within its timeout of 3 s\\. The last attempt failed: Input 2.*${cause}.*\\. Start the same job again, or increase timeout\\.$`,
      ),
    });
  });

  test('name the segment', async () => {
    const handlers = { ...workingSegments, '/seg-3': respondAtFirst(respondWithStatus(500), 1) };
    expect(await failure(playlistHandler, { ...slow, ext: 'm3u8' }, handlers)).toMatchObject({
      code: 'download_timeout',
      message: expect.stringMatching(/The last attempt failed: Segment 4 of 12 of input 2: .* returned 500\. Start/),
    });
  });

  test('omit a failure that was overcome', async () => {
    let hasFailed = false;
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write(hasFailed ? 'abcdef' : 'abc');
      if (hasFailed) return;
      hasFailed = true;
      setImmediate(() => response.socket?.destroy());
    };
    const error = await failure(serve, slow);
    expect(error).toMatchObject({ message: expect.not.stringContaining('last try') });
  });
});

describe('network error messages', () => {
  test.each<[string, RequestHandler, string, RegExp]>([
    [
      'a private address',
      respondWithStatus(302, { location: 'http://169.254.169.254/' }),
      'address_refused',
      /^Input 2: 169\.254\.169\.254 is not a public address, so Millrace does not connect to it\. Correct the link and start the job again\.$/,
    ],
    [
      'another scheme',
      respondWithStatus(302, { location: 'file:///etc/passwd' }),
      'address_refused',
      /^Input 2: Only http and https links are supported, not file:\. Correct/,
    ],
    [
      'redirects without end',
      respondWithStatus(302, { location: '/bad' }),
      'unexpected_redirect',
      /^Input 2: .* redirected more than \d+ times\. Start the same job again later\.$/,
    ],
    [
      'closed connections',
      (_request, response) => void response.socket?.destroy(),
      'connection_error',
      /^Input 2: The connection to .* failed: .*\. Start the same job again later\.$/,
    ],
  ])('name the input and the next step: %s', async (_name, serve, code, message) => {
    expect(await failure(serve)).toMatchObject({ code, input: 1, message: expect.stringMatching(message) });
  });

  test('name the segment that failed', async () => {
    const handlers = { ...workingSegments, '/seg-3': respondWithStatus(302, { location: 'http://10.0.0.1/' }) };
    expect(await failure(playlistHandler, { ext: 'm3u8' }, handlers)).toMatchObject({
      message: expect.stringMatching(/^Segment 4 of 12 of input 2: 10\.0\.0\.1 is not a public address/),
    });
  });
});

test('does not treat 206 without Content-Range as a changed file', async () => {
  expect(await failure(respondWithStatus(206))).toMatchObject({
    code: 'download_incomplete',
    message: expect.stringMatching(
      /^Input 2 could not be downloaded completely: .*206 without Content-Range.* Start the same/,
    ),
  });
});

test('does not report an input above the total limit as above its own limit', async () => {
  const inputs = [{ url: '/a' }, { url: '/b' }];
  const handlers = { '/a': serveRanges(createBytes(2 * MIB)), '/b': serveRanges(createBytes(2 * MIB)) };
  const job = { limits: { inputSize: { total: MIB } } };
  const error = await download(handlers, inputs, job).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'input_too_large',
    message: expect.stringMatching(/^Input \d alone is too large: .* the limit is .* for all inputs together\./),
  });
});

import { describe, expect, test } from 'vitest';
import { createBytes, download, MIB } from './testing/downloads.ts';
import { type RequestHandler, serveRanges } from './testing/origin.ts';
import { playlistHandler, respondWith, segmentHandlers } from './testing/playlist-handlers.ts';

const page: RequestHandler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
};
const workingHandler = serveRanges(createBytes(1000));
const workingSegments = segmentHandlers((bytes) => serveRanges(bytes));

/** Fails with the second of two inputs. */
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

describe('a web page in place of a playlist is refused as one in place of media', () => {
  test.each([
    ['by its type', page],
    ['by its bytes', respondWith('<!DOCTYPE html>\n<html>Sign in</html>')],
  ])('%s', async (_name, serve) => {
    expect(await failure(serve, { ext: 'm3u8' })).toMatchObject({
      code: 'source_refused',
      input: 1,
      message: expect.stringMatching(
        /^Input 2: .* answered with a web page instead of media\. Obtain fresh source links/,
      ),
    });
  });

  test('a playlist that is sent as a page is one', async () => {
    const lines = '#EXTM3U\n#EXTINF:4,\n/seg-0\n#EXT-X-ENDLIST';
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(lines);
    };
    const { fetchedFiles } = await download({ '/a': serve, ...workingSegments }, [{ url: '/a', ext: 'm3u8' }]);
    expect(fetchedFiles).toHaveLength(1);
  });
});

describe('a timeout says why the last try failed', () => {
  const slow = { timeout: 1000 };
  /** Answers a few tries, and then none. */
  const respondAtFirst = (first: RequestHandler, tries: number): RequestHandler => {
    let requestCount = 0;
    return (request, response) => {
      requestCount += 1;
      if (requestCount <= tries) first(request, response);
    };
  };

  test.each<[string, RequestHandler, string]>([
    ['503', respondWithStatus(503), 'answered 503'],
    ['429', respondWithStatus(429), 'answered 429'],
    ['a reset', (_request, response) => void response.socket?.destroy(), 'The connection to .* failed: it was closed'],
    [
      'bad gzip',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no'),
      'breaks off within its gzip coding',
    ],
    ['redirects', respondWithStatus(302, { location: '/bad' }), 'redirected more than \\d+ times'],
  ])('%s', async (name, serve, cause) => {
    const tries = name === 'redirects' ? 12 : 2;
    expect(await failure(respondAtFirst(serve, tries), slow)).toMatchObject({
      code: 'download_timeout',
      message: expect.stringMatching(
        `^Input 2 was not there within its timeout of 1 s\\. The last try failed: Input 2.*${cause}.*\\. Start the same job again, or raise timeout\\.$`,
      ),
    });
  });

  test('and names the segment', async () => {
    const handlers = { ...workingSegments, '/seg-3': respondAtFirst(respondWithStatus(500), 1) };
    expect(await failure(playlistHandler, { ...slow, ext: 'm3u8' }, handlers)).toMatchObject({
      code: 'download_timeout',
      message: expect.stringMatching(/The last try failed: Segment 4 of 12 of input 2: .* answered 500\. Start/),
    });
  });

  test('but no failure that was overcome', async () => {
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

describe('errors of the network name the input and say what to do', () => {
  test.each<[string, RequestHandler, string, RegExp]>([
    [
      'an address inside',
      respondWithStatus(302, { location: 'http://169.254.169.254/' }),
      'address_refused',
      /^Input 2: 169\.254\.169\.254 is not a public address; it is not fetched\. Correct the link and start again\.$/,
    ],
    [
      'another scheme',
      respondWithStatus(302, { location: 'file:///etc/passwd' }),
      'address_refused',
      /^Input 2: Only http and https addresses are fetched, not file:\. Correct/,
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
  ])('%s', async (_name, serve, code, message) => {
    expect(await failure(serve)).toMatchObject({ code, input: 1, message: expect.stringMatching(message) });
  });

  test('in a segment, that one', async () => {
    const handlers = { ...workingSegments, '/seg-3': respondWithStatus(302, { location: 'http://10.0.0.1/' }) };
    expect(await failure(playlistHandler, { ext: 'm3u8' }, handlers)).toMatchObject({
      message: expect.stringMatching(/^Segment 4 of 12 of input 2: 10\.0\.0\.1 is not a public address/),
    });
  });
});

test('206 without Content-Range is no change of the file', async () => {
  expect(await failure(respondWithStatus(206))).toMatchObject({
    code: 'download_incomplete',
    message: expect.stringMatching(/^Input 2 cannot be downloaded whole: .*206 without Content-Range.* Start the same/),
  });
});

test('an input above the limit of all inputs is not said to be above its own', async () => {
  const inputs = [{ url: '/a' }, { url: '/b' }];
  const handlers = { '/a': serveRanges(createBytes(2 * MIB)), '/b': serveRanges(createBytes(2 * MIB)) };
  const job = { limits: { inputSize: { total: MIB } } };
  const error = await download(handlers, inputs, job).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'input_too_large',
    message: expect.stringMatching(/^Input \d alone is larger .* than the limit of .* for all inputs together\./),
  });
});

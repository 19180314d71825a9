import { describe, expect, test } from 'vitest';
import { body, download, MIB } from './testing/downloads.ts';
import { type Behaviour, withRanges } from './testing/origin.ts';
import { media, says, served } from './testing/playlist.ts';

const page: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
};
const good = withRanges(body(1000));
const goodSegments = served((bytes) => withRanges(bytes));

/** Fails with the second of two inputs. */
async function failure(serve: Behaviour, more: Record<string, unknown> = {}, others: Record<string, Behaviour> = {}) {
  const inputs = [{ url: '/good' }, { url: '/bad', ...more }];
  return await download({ ...others, '/good': good, '/bad': serve }, inputs).catch((error: unknown) => error);
}

const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(code, headers).end();
  };

describe('a web page in place of a playlist is refused as one in place of media', () => {
  test.each([
    ['by its type', page],
    ['by its bytes', says('<!DOCTYPE html>\n<html>Sign in</html>')],
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
    const serve: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(lines);
    };
    const { fetched } = await download({ '/a': serve, ...goodSegments }, [{ url: '/a', ext: 'm3u8' }]);
    expect(fetched).toHaveLength(1);
  });
});

describe('a timeout says why the last try failed', () => {
  const slow = { timeout: 1000 };
  /** Answers a few tries, and then none. */
  const then = (first: Behaviour, tries: number): Behaviour => {
    let seen = 0;
    return (request, response) => {
      seen += 1;
      if (seen <= tries) first(request, response);
    };
  };

  test.each<[string, Behaviour, string]>([
    ['503', status(503), 'answered 503'],
    ['429', status(429), 'answered 429'],
    ['a reset', (_request, response) => void response.socket?.destroy(), 'The connection to .* failed: it was closed'],
    [
      'bad gzip',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no'),
      'breaks off within its gzip coding',
    ],
    ['redirects', status(302, { location: '/bad' }), 'redirected more than \\d+ times'],
  ])('%s', async (name, serve, cause) => {
    const tries = name === 'redirects' ? 12 : 2;
    expect(await failure(then(serve, tries), slow)).toMatchObject({
      code: 'download_timeout',
      message: expect.stringMatching(
        `^Input 2 was not there within its timeout of 1 s\\. The last try failed: Input 2.*${cause}.*\\. Start the same job again, or raise timeout\\.$`,
      ),
    });
  });

  test('and names the segment', async () => {
    const behaviours = { ...goodSegments, '/seg-3': then(status(500), 1) };
    expect(await failure(media, { ...slow, ext: 'm3u8' }, behaviours)).toMatchObject({
      code: 'download_timeout',
      message: expect.stringMatching(/The last try failed: Segment 4 of 12 of input 2: .* answered 500\. Start/),
    });
  });

  test('but no failure that was overcome', async () => {
    let sent = false;
    const serve: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write(sent ? 'abcdef' : 'abc');
      if (sent) return;
      sent = true;
      setImmediate(() => response.socket?.destroy());
    };
    const error = await failure(serve, slow);
    expect(error).toMatchObject({ message: expect.not.stringContaining('last try') });
  });
});

describe('errors of the network name the input and say what to do', () => {
  test.each<[string, Behaviour, string, RegExp]>([
    [
      'an address inside',
      status(302, { location: 'http://169.254.169.254/' }),
      'address_refused',
      /^Input 2: 169\.254\.169\.254 is not a public address; it is not fetched\. Correct the link and start again\.$/,
    ],
    [
      'another scheme',
      status(302, { location: 'file:///etc/passwd' }),
      'address_refused',
      /^Input 2: Only http and https addresses are fetched, not file:\. Correct/,
    ],
    [
      'redirects without end',
      status(302, { location: '/bad' }),
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
    const behaviours = { ...goodSegments, '/seg-3': status(302, { location: 'http://10.0.0.1/' }) };
    expect(await failure(media, { ext: 'm3u8' }, behaviours)).toMatchObject({
      message: expect.stringMatching(/^Segment 4 of 12 of input 2: 10\.0\.0\.1 is not a public address/),
    });
  });
});

test('206 without Content-Range is no change of the file', async () => {
  expect(await failure(status(206))).toMatchObject({
    code: 'download_incomplete',
    message: expect.stringMatching(/^Input 2 cannot be downloaded whole: .*206 without Content-Range.* Start the same/),
  });
});

test('an input above the limit of all inputs is not said to be above its own', async () => {
  const inputs = [{ url: '/a' }, { url: '/b' }];
  const behaviours = { '/a': withRanges(body(2 * MIB)), '/b': withRanges(body(2 * MIB)) };
  const job = { limits: { inputSize: { total: MIB } } };
  const error = await download(behaviours, inputs, job).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'input_too_large',
    message: expect.stringMatching(/^Input \d alone is larger .* than the limit of .* for all inputs together\./),
  });
});

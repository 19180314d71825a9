import { createCipheriv } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { downloadInputs } from './download-inputs.ts';
import { hash } from './testing/downloads.ts';
import { type RunPlace, runHealable, servedBytes, serveLinks } from './testing/healable-run.ts';
import type { RequestHandler } from './testing/origin.ts';
import {
  concatenatedSegments,
  createPlaylist,
  segmentHandlers,
  segmentPaths,
  segments,
} from './testing/playlist-handlers.ts';

/** Fetches the inputs, and returns the hash of each file. */
async function fetchHashes({ job, context }: RunPlace): Promise<string[]> {
  const inputs = await downloadInputs(job, context);
  const paths = inputs.flatMap(({ files }) => files).flatMap(({ parts }) => parts.map(({ path }) => path));
  return await Promise.all(paths.map(async (path) => hash(await readFile(path))));
}

const versionOf = (url = '') => Number(new URL(url, 'http://origin').searchParams.get('v'));

/** Serves a playlist whose members have the version of its own link. */
const servePlaylist =
  (lines: (version: number) => readonly string[]): RequestHandler =>
  (request, response) => {
    response.writeHead(200).end(createPlaylist(lines(versionOf(request.url))));
  };

const listSegments = (version: number) => segmentPaths.flatMap((path) => ['#EXTINF:4,', `${path}?v=${version}`]);

/** Refuses one version of a link before passing its requests on. */
const refuse =
  (refused: number, handler: RequestHandler): RequestHandler =>
  (request, response) => {
    if (versionOf(request.url) === refused) response.writeHead(403).end();
    else handler(request, response);
  };

const inputs = [{ url: '/list', ext: 'm3u8', HLSPlaylistDownload: { concurrency: 3 } }];
const whole = hash(concatenatedSegments);

describe('a playlist whose link dies', () => {
  test('in the middle of a segment continues at the same byte of the same segment', async () => {
    const files = segments.map((bytes, index) =>
      serveLinks(bytes, index < 5 ? [] : [{ bytes: index === 5 ? 70_000 : 0 }]),
    );
    const handlers = {
      '/list': servePlaylist(listSegments),
      ...segmentHandlers((_bytes, index) => files[index]?.handler ?? (() => undefined)),
    };
    const { result, error, healRequests, reports } = await runHealable({ handlers, inputs }, fetchHashes);
    expect([error, result]).toEqual([undefined, [whole]]);
    expect(healRequests).toHaveLength(1);
    expect(reports).toMatchObject([{ outcome: 'cut', status: 403 }, { outcome: 'arrived' }]);
    expect(reports.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(concatenatedSegments.length);
    expect(servedBytes(...files)).toBe(concatenatedSegments.length);
  });

  test('before its first request is replaced', async () => {
    const handlers = {
      '/list': refuse(0, servePlaylist(listSegments)),
      ...segmentHandlers((bytes) => serveLinks(bytes, []).handler),
    };
    const { result, healRequests, reports } = await runHealable({ handlers, inputs }, fetchHashes);
    expect(result).toEqual([whole]);
    expect(healRequests).toHaveLength(1);
    expect(reports).toMatchObject([{ outcome: 'refused', bytes: 0 }, { outcome: 'arrived' }]);
  });

  test('between its master playlist and a variant is replaced', async () => {
    const master: RequestHandler = (request, response) => {
      const variant = `/variant?v=${versionOf(request.url)}`;
      response.writeHead(200).end(['#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1', variant].join('\n'));
    };
    const handlers = {
      '/list': master,
      '/variant': refuse(0, servePlaylist(listSegments)),
      ...segmentHandlers((bytes) => serveLinks(bytes, []).handler),
    };
    const { result, requests } = await runHealable({ handlers, inputs }, fetchHashes);
    expect(result).toEqual([whole]);
    expect(requests.slice(0, 4).map(({ url }) => url)).toEqual(['/list', '/variant?v=0', '/list?v=1', '/variant?v=1']);
  });

  test('before its key is fetched is replaced', async () => {
    const key = Buffer.alloc(16, 5);
    const lines = (version: number) => [
      `#EXT-X-KEY:METHOD=AES-128,URI="/key?v=${version}",IV=0x00000000000000000000000000000001`,
      ...listSegments(version),
    ];
    const iv = Buffer.alloc(16);
    iv[15] = 1;
    const encrypt = (bytes: Buffer) => {
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      return Buffer.concat([cipher.update(bytes), cipher.final()]);
    };
    const handlers = {
      '/list': servePlaylist(lines),
      '/key': refuse(0, (_request, response) => void response.writeHead(200).end(key)),
      ...segmentHandlers((bytes) => serveLinks(encrypt(bytes), []).handler),
    };
    const { result, error, healRequests } = await runHealable({ handlers, inputs }, fetchHashes);
    expect([error, result]).toEqual([undefined, [whole]]);
    expect(healRequests).toHaveLength(1);
  });

  test('is replaced if a segment is a web page', async () => {
    const page: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    };
    const handlers = {
      '/list': servePlaylist(listSegments),
      ...segmentHandlers((bytes, index) => {
        const { handler } = serveLinks(bytes, []);
        return (request, response) =>
          index === 4 && versionOf(request.url) === 0 ? page(request, response) : handler(request, response);
      }),
    };
    const { result, reports } = await runHealable({ handlers, inputs }, fetchHashes);
    expect(result).toEqual([whole]);
    expect(reports).toMatchObject([{ outcome: 'failed' }, { outcome: 'arrived' }]);
  });

  test('fails the job after two replacements', async () => {
    const handlers = {
      '/list': servePlaylist(listSegments),
      ...segmentHandlers((bytes, index) => {
        const { handler } = serveLinks(bytes, []);
        return index === 6 ? (_request, response) => void response.writeHead(403).end() : handler;
      }),
    };
    const { error, healRequests } = await runHealable({ handlers, inputs }, fetchHashes);
    expect(error).toMatchObject({
      code: 'source_refused',
      input: 0,
      message: expect.stringMatching(/^Segment 7 of 12 of input 1: \S+ returned 403\./),
    });
    expect(healRequests).toHaveLength(2);
  });
});

describe('the new playlist', () => {
  const serveWith = (lines: (version: number) => readonly string[]) => ({
    '/list': servePlaylist(lines),
    ...segmentHandlers((bytes, index) => serveLinks(bytes, index === 6 ? [{ bytes: 0 }] : []).handler),
  });

  test.each<[string, (lines: string[]) => string[]]>([
    ['fewer segments', (lines) => lines.slice(0, -2)],
    ['more segments', (lines) => [...lines, '#EXTINF:4,', '/seg-0?v=1']],
    ['other durations', (lines) => ['#EXTINF:5,', ...lines.slice(1)]],
    ['other segments', (lines) => [...lines.slice(0, -1), '/seg-0?v=1']],
    ['a discontinuity', (lines) => [...lines.slice(0, 4), '#EXT-X-DISCONTINUITY', ...lines.slice(4)]],
  ])('with %s does not continue the former one', async (_name, change) => {
    const lines = (version: number) => (version === 0 ? listSegments(0) : change(listSegments(version)));
    const { error } = await runHealable({ handlers: serveWith(lines), inputs }, fetchHashes);
    expect(error).toMatchObject({
      code: 'download_incomplete',
      input: 0,
      message: expect.stringMatching(/the new playlist of input 1 lists (other|more) segments\. Start the same job/),
    });
  });
});

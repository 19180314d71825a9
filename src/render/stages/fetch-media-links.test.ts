import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBytes, hash } from '../download/testing/downloads.ts';
import { runHealable, servedBytes, serveLinks } from '../download/testing/healable-run.ts';
import type { RequestHandler } from '../download/testing/origin.ts';
import { createPlaylist } from '../download/testing/playlist-handlers.ts';
import { fetchMedia } from './fetch-media.ts';
import { createTestEngine } from './testing/test-engine.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-fetch-media-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const versionOf = (url = '') => Number(new URL(url, 'http://origin').searchParams.get('v'));

/** Fetches two playlists of six segments. The first one has another segment at its new link. */
async function fetchPlaylists(operation: string) {
  const files = new Map<string, ReturnType<typeof serveLinks>>();
  const handlers: Record<string, RequestHandler> = {};
  for (const list of ['a', 'b']) {
    for (let index = 0; index < 6; index += 1) {
      const dies = list === 'a' && index === 3;
      const file = serveLinks(createBytes(100_000 + index).fill(index, 0, 500), dies ? [{ bytes: 5000 }] : []);
      files.set(`/${list}${index}`, file);
      handlers[`/${list}${index}`] = file.handler;
    }
    handlers[`/${list}`] = (request, response) => {
      const version = versionOf(request.url);
      const names = [0, 1, 2, 3, 4, list === 'a' && version > 0 ? 4 : 5].map((index) => `/${list}${index}`);
      response.writeHead(200).end(createPlaylist(names.flatMap((name) => ['#EXTINF:4,', `${name}?v=${version}`])));
    };
  }
  const inputs = ['/a', '/b'].map((url) => ({ url, ext: 'm3u8', HLSPlaylistDownload: { concurrency: 1 } }));
  const outcome = await runHealable(
    { handlers, inputs, directory, job: { operation: { type: operation } } },
    async ({ job, context, services }) => {
      const media = await fetchMedia(
        job,
        { ...context, linkServices: services },
        createTestEngine().engine,
        pino({ level: 'silent' }),
      );
      if (media.kind === 'placed') throw new Error('playlists are not placed');
      if (media.kind === 'streamed') await media.operation.stop();
      const paths = media.inputs.flatMap((input) => input.files).flatMap(({ parts }) => parts.map(({ path }) => path));
      return await Promise.all(paths.map(async (path) => hash(await readFile(path))));
    },
  );
  const segment = (index: number) => createBytes(100_000 + index).fill(index, 0, 500);
  const expected = [
    [0, 1, 2, 3, 4, 4],
    [0, 1, 2, 3, 4, 5],
  ].map((order) => hash(Buffer.concat(order.map(segment))));
  return { ...outcome, expected, files };
}

test('fetches a playlist again if it has other segments at its new link, and the other input only once', async () => {
  const { result, error, expected, files, reports } = await fetchPlaylists('join_streams');
  expect([error, result]).toEqual([undefined, expected]);
  const other = [...files].filter(([path]) => path.startsWith('/b')).map(([, file]) => file);
  const size = 6 * 100_000 + 15;
  expect(servedBytes(...other)).toBeLessThanOrEqual(size + 2 * 100_005);
  expect(reports.map(({ outcome }) => outcome).toSorted()).toEqual(['arrived', 'arrived', 'cut']);
});

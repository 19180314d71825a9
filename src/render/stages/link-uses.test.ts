import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBytes, MIB } from '../download/testing/downloads.ts';
import { type RunPlace, runHealable, serveLinks } from '../download/testing/healable-run.ts';
import { createPlaylist } from '../download/testing/playlist-handlers.ts';
import { fetchMedia } from './fetch-media.ts';
import { createTestEngine } from './testing/test-engine.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-link-uses-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Fetches the inputs, and returns how their links were used. */
async function usesOf({ job, context, services }: RunPlace) {
  const media = await fetchMedia(
    job,
    { ...context, linkServices: services },
    createTestEngine().engine,
    pino({ level: 'silent' }),
  );
  if (media.kind === 'streamed') await media.operation.stop();
  return media.linkUses;
}

const file = (bytes?: number) => serveLinks(createBytes(2 * MIB), bytes === undefined ? [] : [{ bytes }]).handler;

test('states the client profile whose link returned the bytes, not the one of a link that was refused', async () => {
  const inputs = [{ url: '/refused' }, { url: '/dies' }, { url: '/works' }];
  const handlers = { '/refused': file(0), '/dies': file(500_000), '/works': file() };
  const { error, result } = await runHealable({ handlers, inputs, directory }, usesOf);
  expect(error).toBeUndefined();
  expect(result).toEqual([
    { profiles: [expect.stringMatching(/^profile-[12]$/)], replacedLinks: 1 },
    { profiles: ['profile-0', expect.stringMatching(/^profile-[12]$/)], replacedLinks: 1 },
    { profiles: [expect.stringMatching(/^profile-[012]$/)], replacedLinks: 0 },
  ]);
});

test('states the client profiles of playlists, whose links themselves return no media', async () => {
  const segment = serveLinks(createBytes(100_000), [{ bytes: 0 }]);
  const handlers = {
    '/s': segment.handler,
    '/list': ({ url = '' }, response) => {
      const version = new URL(url, 'http://origin').searchParams.get('v') ?? '0';
      response.writeHead(200).end(createPlaylist(['#EXTINF:4,', `/s?v=${version}`]));
    },
  } satisfies Parameters<typeof runHealable>[0]['handlers'];
  const { error, result } = await runHealable(
    { handlers, inputs: [{ url: '/list', ext: 'm3u8' }], directory, job: { operation: { type: 'convert_format' } } },
    usesOf,
  );
  expect([error, result]).toEqual([undefined, [{ profiles: ['profile-1'], replacedLinks: 1 }]]);
});

test('states the client profiles of an earlier run, whose bytes it has kept', async () => {
  const body = createBytes(4 * MIB);
  const fileThatDies = serveLinks(body, [{ bytes: MIB }, { bytes: MIB }]);
  const inputs = [{ url: '/a', chunkDownload: { size: 256 * 1024, concurrency: 1 } }];
  const run = { handlers: { '/a': fileThatDies.handler }, inputs, directory };
  const { error, result } = await runHealable(run, async (place) => {
    const heal = (count: number, version: number) => ({
      heal: async () =>
        count-- === 0
          ? undefined
          : {
              profile: `client-${version}`,
              links: place.job.inputs.map(({ url, ext }) => ({ url: `${url}?v=${version}`, ext, headers: {} })),
            },
    });
    const services = (version: number) => ({ ...place.services, healer: heal(1, version) });
    await expect(usesOf({ ...place, services: services(1) })).rejects.toThrow();
    return await usesOf({ ...place, services: services(2) });
  });
  expect(error).toBeUndefined();
  expect(result).toEqual([{ profiles: ['profile-0', 'client-1', 'client-2'], replacedLinks: 2 }]);
});

test('states nothing about inputs that the caller named', async () => {
  const run = { handlers: { '/a': file() }, inputs: [{ url: '/a' }], directory, hasOrigin: false };
  const { error, result } = await runHealable(run, usesOf);
  expect([error, result]).toEqual([undefined, undefined]);
});

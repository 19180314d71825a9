import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Item, Renderable, Result } from '../support/envelope.ts';
import { freePort } from '../support/free-port.ts';
import { describeJob, extract, fetchJson, outcome, run, type StartedJob } from '../support/http-client.ts';
import { findRequests, labFile, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const PASSWORD = 'pass word/of:the exits';
const lab = inject('labUrl');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
/** A proxy that refuses any credentials, and one that never responds. */
const strict = createServer((socket) => {
  socket.once('data', () => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  socket.on('error', () => socket.destroy());
});
const silent = createServer((socket) => {
  socket.on('error', () => socket.destroy()).resume();
});

beforeAll(async () => {
  folder = await temporaryFolder();
  const through = (protocol: string, country: string) =>
    `${protocol}://${country}:${encodeURIComponent(PASSWORD)}@${new URL(lab).host}`;
  const own = async (server: Server) => `http://it:${encodeURIComponent(PASSWORD)}@127.0.0.1:${await listen(server)}`;
  const proxies = {
    fr: through('http', 'fr'),
    FR: through('socks5', 'fr'),
    be: through('socks5', 'be'),
    de: through('http', 'de'),
    gb: `http://gb:secret@127.0.0.1:${await freePort()}`,
    it: await own(strict),
    es: await own(silent),
  };
  service = await startService(lab, folder.path, {
    EGRESS_PROXIES: Object.entries(proxies)
      .map(([country, url]) => `${country}=${url}`)
      .join(','),
    RENDER_PROXY: proxies.de,
  });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
  strict.close();
  silent.close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

const p1 = (query: string) => extract<Result>(`${service.url}/p1/v3/video/details?${query}`);
const p5 = (query: string) => extract<Result>(`${service.url}/p5/v3/video/details?${query}`);

/** The videos of a result. */
const videosOf = ({ contents = [] }: Result): readonly Item[] => contents[0]?.videos ?? [];

/** Returns the countries from which a host received requests for a video. */
async function countriesOf(host: string, part: string): Promise<ReadonlySet<string>> {
  const requests = await findRequests(lab, { host });
  return new Set(
    requests.filter(({ path, body }) => path.includes(part) || body.includes(part)).map(({ country }) => country),
  );
}

/** Renders an item, and returns the kinds of the tracks in its file. */
async function tracksOf(item: Renderable | undefined): Promise<readonly string[]> {
  const { body } = await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '');
  const { status, error, output } = await outcome(body.sseStatusUrl);
  expect([status, error]).toEqual(['done', null]);
  const { tracks } = await inspect(Buffer.from(await (await fetch(output?.url ?? '')).arrayBuffer()));
  return tracks.map(({ kind }) => kind).sort();
}

describe('countryCode', () => {
  test.each(['fr', 'FR', 'be'])('%s sends requests from that country', async (countryCode) => {
    // One request leaves by HTTP and one by SOCKS: the two exits in France take turns.
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await p1(`videoId=lab-geo-fr1&countryCode=${countryCode}&fields=contents.videos`);
      expect(body.error).toBeNull();
    }
    const { body } = await p5(`videoId=xlabgeofr&countryCode=${countryCode}`);
    expect(body.error).toBeNull();
    expect(body.contents?.[0]?.videos?.length).toBeGreaterThan(0);
  });

  test('never falls back to another country', async () => {
    const { body } = await p5('videoId=xlabgeofr&countryCode=de');
    expect(body.error).toMatchObject({ code: 'unavailable', allowedCountries: ['FR', 'BE'] });
    expect((await p1('videoId=lab-geo-fr1&countryCode=de')).body.error?.code).toBe('unavailable');
  });

  test.each(['jp', 'US', 'xk'])('%s is refused because no exit has it', async (countryCode) => {
    const { status, body } = await p5(`videoId=xlab2&countryCode=${countryCode}`);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: 'unsupported_proxy_for_geo_targeting',
      statusCode: 400,
      retryable: false,
      parameter: 'countryCode',
      message: expect.stringContaining(countryCode.toUpperCase()),
      availableCountries: ['FR', 'BE', 'DE', 'GB', 'IT', 'ES'],
    });
  });

  test.each(['', '&countryCode=worldwide'])('sends requests directly when absent or worldwide (%s)', async (query) => {
    expect((await p1(`videoId=lab-geo-us0${query}`)).body.error?.code).toBe('unavailable');
    expect((await p1(`videoId=lab-plain30${query}&fields=metadata`)).body.error).toBeNull();
  });

  test('is chosen automatically by p5 when the video is blocked in the default country', async () => {
    for (const query of ['', '&countryCode=worldwide']) {
      const french = await p5(`videoId=xlabgeofr${query}`);
      expect(french.body.error).toBeNull();
      const elsewhere = await p5(`videoId=xlabgeous${query}`);
      expect(elsewhere.body.error).toBeNull();
    }
  });
});

describe('the exit of media', () => {
  test.each(['fr', 'be'])("is the extraction's exit in a render for %s", async (countryCode) => {
    const { body } = await p1(`videoId=lab-ip-only&countryCode=${countryCode}&renderableFormats=lowres`);
    expect(await tracksOf(body.contents?.[0]?.renderableVideos?.[0])).toEqual(['audio', 'video']);
  });

  test("is the extraction's exit in a render for which p5 chose the country", async () => {
    const { body } = await p5('videoId=xlabgeofr&renderableFormats=lowres');
    expect(await tracksOf(body.contents?.[0]?.renderableVideos?.[0])).toEqual(['audio', 'video']);
  });

  test("is the extraction's exit in the relay", async () => {
    const { body } = await p1('videoId=lab-ip-only&countryCode=fr&urlAccess=proxied&fields=contents.videos');
    const smallest = videosOf(body).find(({ label }) => label === '144p');
    const response = await fetch(smallest?.url ?? '');
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([
      200,
      smallest?.metadata.content_length,
    ]);
    const straight = await p1('videoId=lab-ip-only&countryCode=fr&fields=contents.videos');
    const { hostname, pathname, search } = new URL(videosOf(straight.body)[0]?.url ?? '');
    const elsewhere = await run(
      service.url,
      describeJob('no_process', [{ url: `https://${hostname}${pathname}${search}`, ext: 'mp4' }], 'mp4'),
    );
    // A caller's own job leaves through RENDER_PROXY, and the link belongs to another exit.
    expect(elsewhere).toMatchObject({ status: 'failed', error: expect.stringContaining('403') });
  });

  test('is RENDER_PROXY for direct jobs', async () => {
    const { url, token } = labFile('/media/amber-2/sound.m4a');
    expect(await run(service.url, describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a'))).toMatchObject({
      status: 'done',
    });
    expect(new Set((await requestsWithToken(lab, token)).map(({ country }) => country))).toEqual(new Set(['DE']));
  });

  test('is not RENDER_PROXY after a direct extraction', async () => {
    const { body } = await p1('videoId=lab-60fps-1&renderableFormats=lowres');
    const { executionUrl = '' } = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig ?? {};
    const job = await fetchJson<StartedJob>(executionUrl);
    expect((await outcome(job.body.sseStatusUrl)).status).toBe('done');
    const [host = ''] = videosOf(body).map(({ url }) => new URL(url).hostname);
    expect(await countriesOf(host, 'lab-60fps-1')).not.toContain('DE');
  });
});

describe('a proxy', { tags: ['long'] }, () => {
  test.each([
    ['gb', 'that refuses connections', /through exit gb-1: connection refused/],
    ['it', 'that refuses the credentials', /through exit it-1: the proxy rejected the credentials .*407/],
    ['es', 'that hangs', /through exit es-1: the proxy took too long to respond/],
  ])('in %s %s causes a connection error', async (countryCode, _name, message) => {
    const { status, body } = await p5(`videoId=xlab2&countryCode=${countryCode}`);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: 'connection_error', statusCode: 502, retryable: true });
    expect(body.error?.message).toMatch(message);
  });

  test('has credentials that reach no response and no log', async () => {
    const { body } = await p5('videoId=xlabgeofr&countryCode=fr&renderableFormats=lowres');
    const failed = await p5('videoId=xlab2&countryCode=it');
    const publicText = [JSON.stringify(body), JSON.stringify(failed.body), service.output()].join();
    const encoded = [encodeURIComponent(PASSWORD), Buffer.from(`it:${PASSWORD}`).toString('base64')];
    for (const secret of [PASSWORD, ...encoded, 'secret@']) expect(publicText).not.toContain(secret);
  });
});

test('an exit that was removed from the settings is reported missing, and other requests use EGRESS_DEFAULT', {
  tags: ['long'],
}, async () => {
  const { body } = await p1('videoId=lab-plain30&countryCode=fr&urlAccess=proxied&fields=contents.videos');
  const link = new URL(videosOf(body)[0]?.url ?? '');
  await service.stop();
  service = await startService(lab, folder.path, {
    EGRESS_PROXIES: `be=http://be:any@${new URL(lab).host}`,
    EGRESS_DEFAULT: 'be',
  });
  const miss = await fetchJson<Result>(`${service.url}${link.pathname}`);
  expect([miss.status, miss.body.error?.code]).toEqual([400, 'unsupported_proxy_for_geo_targeting']);
  expect((await p1('videoId=lab-geo-fr1&fields=contents.videos')).body.error).toBeNull();
});

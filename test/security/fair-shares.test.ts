import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';
import { mediaPlaylist } from '../support/playlist-source.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type HeldSocket, holdSocket } from '../support/raw-request.ts';

const FLOOD = 18;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

/** Starts a service for the tests of a group. */
function useService(settings: () => Record<string, string> = () => ({})): void {
  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startService(inject('labUrl'), folder.path, { TRUSTED_PROXIES: '127.0.0.1', ...settings() });
  });
  afterAll(async () => {
    await service.kill();
    await folder.delete();
  });
}

/** Returns the headers of a visitor of the page from another network. */
const visitor = (index: number) => ({
  'x-millrace-page': '1',
  'sec-fetch-site': 'same-origin',
  'x-forwarded-for': `203.0.${index}.1`,
});

/** Returns the IDs of the videos with a prefix whose metadata the site was asked for, in this order. */
async function requestedVideos(prefix: string): Promise<readonly string[]> {
  const path = '/player/metadata/video/';
  const requests = await findRequests(inject('labUrl'), { host: 'www.dailymotion.com', path: `${path}${prefix}` });
  return requests.map(({ path: each }) => each.slice(path.length).replace(/\?.*/s, ''));
}

describe('the pace of a site is shared fairly', () => {
  let over: AbortController;
  useService(() => ({ EGRESS_PACE: '2/1' }));
  afterEach(() => over.abort());

  test.for([
    {
      flood: 'a key',
      name: 'key',
      headersOf: () => ({ 'x-marketplace-key': keys.BASIC, 'x-marketplace-host': 'a.example' }),
    },
    { flood: 'visitors from many networks', name: 'web', headersOf: visitor },
  ])('with $flood that requests many items at once', async ({ name, headersOf }) => {
    over = new AbortController();
    const prefix = `xlab${name}`;
    for (let index = 0; index < FLOOD; index += 1) {
      const url = `${service.url}/p5/v3/video/details?videoId=${prefix}${index}`;
      fetch(url, { headers: headersOf(index), signal: over.signal }).catch(() => undefined);
    }
    await expect.poll(async () => (await requestedVideos(prefix)).length).toBeGreaterThan(1);
    const { body } = await extract<Result>(`${service.url}/p5/v3/video/details?videoId=${prefix}99`, keys.PRO);
    expect(body.error).toBeNull();
    const order = await requestedVideos(prefix);
    expect(order.indexOf(`${prefix}99`)).toBeGreaterThan(0);
    expect(order.indexOf(`${prefix}99`)).toBeLessThan(FLOOD / 2);
  });
});

describe('the connections to a media host are shared fairly', () => {
  const sockets: HeldSocket[] = [];
  useService();
  afterEach(() => {
    for (const { socket } of sockets.splice(0)) socket.destroy();
  });

  /** Returns a relay link to a video of 12 MB, more than what all buffers on its way hold. */
  async function relayLink(headers: Record<string, string>): Promise<string> {
    const { body } = await fetchJson<Result>(
      `${service.url}/p1/v3/video/details?videoId=lab-ten-min&urlAccess=proxied`,
      { headers },
    );
    expect(body).toMatchObject({ error: null });
    return body.contents?.[0]?.videos?.[0]?.url ?? '';
  }

  test('if many visitors do not read what is relayed to them', async () => {
    for (let index = 0; index < 5; index += 1) {
      const { pathname } = new URL(await relayLink(visitor(index)));
      const request = `GET ${pathname} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.${index}.1\r\n\r\n`;
      for (let each = 0; each < 27; each += 1) {
        const held = await holdSocket(service.url, '127.0.0.1', request);
        held.socket.once('data', () => held.socket.pause());
        sockets.push(held);
      }
    }
    // Each of them gets up to half of what the previous ones left of the connections of visitors.
    const responses = (status: number) => sockets.filter(({ received }) => received().startsWith(`HTTP/1.1 ${status}`));
    await expect.poll(() => [responses(200).length, responses(503).length]).toEqual([117, 18]);
    const customer = { 'x-marketplace-key': keys.BASIC, 'x-marketplace-host': 'a.example' };
    for (const headers of [customer, visitor(9)]) {
      const response = await fetch(await relayLink(headers), { headers: { range: 'bytes=0-99' } });
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([206, 100]);
    }
  });
});

describe('the connections of renders to a media host are shared fairly', () => {
  const CONNECTIONS = 256;
  /** Together, the jobs need more than all connections. */
  const [JOBS, INPUTS, SEGMENTS] = [5, 4, 16];
  /** The open segments of a host. They begin and never end. Playlists name them at another name of the host. */
  const open = new Set<ServerResponse>();
  let mostOpen = 0;
  const host = createServer(({ url }, response) => {
    const lines = Array.from({ length: SEGMENTS }, (_, at) => `#EXTINF:1,\nhttp://cdn.example/segment.ts?${at}\n`);
    if (url === '/index.m3u8') return response.end(mediaPlaylist(lines.join('')));
    if (url === '/film.bin') return response.end('a film');
    response.writeHead(200, { 'content-type': 'video/mp2t' }).flushHeaders();
    open.add(response);
    mostOpen = Math.max(mostOpen, open.size);
    return response.on('close', () => open.delete(response));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  useService(() => ({
    EGRESS_CONNECT_TO: `*=http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    WORKER_CONCURRENCY: `${JOBS + 1}`,
  }));
  afterAll(() => {
    host.closeAllConnections();
    host.close();
  });

  test('if the jobs of another key never release theirs', async () => {
    const execute = `${service.url}/api/v1/render/execute`;
    const inputs = Array(INPUTS).fill({ url: 'http://lists.example/index.m3u8', ext: 'm3u8' });
    const more = { HLSPlaylistDownload: { concurrency: SEGMENTS } };
    for (let job = 0; job < JOBS; job += 1) await post(execute, describeJob('join_streams', inputs, 'mkv', more));
    await expect.poll(() => open.size).toBeGreaterThanOrEqual(CONNECTIONS / 2);
    const film = describeJob('no_process', [{ url: 'http://cdn.example/film.bin', ext: 'bin' }], 'bin');
    const { body } = await post<StartedJob>(execute, film, keys.otherRender);
    expect(await outcome(body.sseStatusUrl)).toMatchObject({ status: 'done', error: null });
    expect(mostOpen).toBeLessThan(CONNECTIONS);
  });
});

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Item, Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import { inspect } from '../support/media.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const CONNECTIONS = 3;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { RELAY_CONNECTIONS: String(CONNECTIONS) });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

async function media(videoId: string, key?: string): Promise<readonly Item[]> {
  const url = `${service.url}/p1/v3/video/details?videoId=${videoId}&urlAccess=proxied&fields=contents`;
  const { body } = await extract<Result>(url, key);
  expect(body.error).toBeNull();
  return [...(body.contents?.[0]?.videos ?? []), ...(body.contents?.[0]?.audios ?? [])];
}

/** Returns the smallest video of a result. */
async function smallest(videoId: string, key?: string): Promise<Item> {
  const item = (await media(videoId, key)).find(({ label }) => label === '144p');
  if (item === undefined) throw new Error(`${videoId} has no 144p`);
  return item;
}

const codeOf = async (response: Response) => ((await response.json()) as Result).error?.code;

describe('urlAccess=proxied', () => {
  test('returns only links of the service, which serve the whole files', async () => {
    const items = await media('lab-plain30');
    expect(items).toHaveLength(7);
    for (const { url } of items) expect(url.startsWith(`${service.url}/relay/`)).toBe(true);
    const item = await smallest('lab-plain30');
    const response = await fetch(item.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    const file = Buffer.from(await response.arrayBuffer());
    expect(file.length).toBe(item.metadata.content_length);
    expect((await inspect(file)).tracks.map(({ kind }) => kind)).toEqual(['video']);
  });

  test('supports HEAD and ranges', async () => {
    const { url, metadata } = await smallest('lab-plain30');
    const size = Number(metadata.content_length);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      String(size),
      'bytes',
    ]);
    for (const [range, first, last] of [
      ['bytes=100-199', 100, 199],
      [`bytes=${size - 10}-`, size - 10, size - 1],
      ['bytes=-10', size - 10, size - 1],
    ] as const) {
      const part = await fetch(url, { headers: { range } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/${size}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(first, last + 1))).toBe(true);
    }
    const outside = await fetch(url, { headers: { range: `bytes=${size}-` } });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
  });

  test.each(['lab-ua-only', 'lab-ip-only'])(
    'reaches a CDN that serves only the requesting client: %s',
    async (videoId) => {
      const { url } = await smallest(videoId);
      const response = await fetch(url, { headers: { 'user-agent': 'anybody' } });
      expect(response.status).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    },
  );

  test('relays a live playlist and its segments', async () => {
    const [{ url } = { url: '' }] = await media('lab-live-on');
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl']);
    const segments = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(segments.length).toBeGreaterThan(1);
    for (const segment of segments) expect(segment.startsWith(`${service.url}/relay/`)).toBe(true);
    const segment = await fetch(segments.at(-1) ?? '');
    const bytes = Buffer.from(await segment.arrayBuffer());
    expect(segment.status, segment.ok ? undefined : bytes.toString()).toBe(200);
    // MPEG-TS: a sync byte begins each packet of 188 bytes.
    expect([bytes[0], bytes[188], bytes.length % 188]).toEqual([0x47, 0x47, 0]);
  });

  test.each([
    ['is refused by the CDN', 'lab-med-403', 403, 'unavailable'],
    ['has expired', 'lab-expired', 410, 'token_expired'],
  ])('reports that a link %s', async (_name, videoId, status, code) => {
    const response = await fetch((await smallest(videoId)).url);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
  });

  test('continues at the same byte when a connection to the CDN breaks', async () => {
    const item = await smallest('lab-med-cut');
    const response = await fetch(item.url);
    const file = Buffer.from(await response.arrayBuffer());
    expect(file.length).toBe(item.metadata.content_length);
    expect((await inspect(file)).tracks.map(({ kind }) => kind)).toEqual(['video']);
  });

  test('returns 403 for a link that was altered, cut or sealed for another purpose', async () => {
    const { url } = await smallest('lab-plain30');
    const sealed = /relay\/([^/]+)\//.exec(url)?.[1] ?? '';
    const altered = (at: number) => `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    const details = `${service.url}/p1/v3/video/details?videoId=lab-min-002&renderableFormats=lowres`;
    const { body } = await extract<Result>(details);
    const execution = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
    const order = new URL(execution).searchParams.get('order') ?? '';
    const places = [0, 1, 20, sealed.length >> 1, sealed.length - 2];
    for (const wrong of [...places.map(altered), sealed.slice(0, -10), `${sealed}AAAA`, order, 'x']) {
      const response = await fetch(`${service.url}/relay/${wrong}/video.mp4`);
      expect([response.status, await codeOf(response)]).toEqual([403, 'invalid_url']);
    }
    const asOrder = await fetchJson<Result>(`${service.url}/api/v1/render/execute?order=${sealed}`);
    expect([asOrder.status, asOrder.body.error?.code]).toEqual([403, 'invalid_url']);
  });

  test('limits the concurrent connections of each key', async () => {
    // Their connections stay open until the test closes them.
    const stalled = await smallest('lab-med-end', keys.PRO);
    const others = await smallest('lab-plain30', keys.ULTRA);
    const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => fetch(stalled.url)));
    expect(open.map(({ status }) => status)).toEqual(Array(CONNECTIONS).fill(200));
    const refused = await fetch(stalled.url);
    expect([refused.status, await codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect((await fetch(others.url)).status).toBe(200);
    await Promise.all(open.map(({ body }) => body?.cancel()));
    await expect.poll(async () => (await fetch(stalled.url, { method: 'HEAD' })).status).toBe(200);
  });
});

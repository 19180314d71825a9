/** @module-tag long */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import type { Renderable, Result } from '../support/envelope.ts';
import { fetchJson, outcome, type StatusEvent } from '../support/http-client.ts';
import { fetchThroughLab, findRequests } from '../support/lab-client.ts';
import { deathsOf, linkRequestsFor, mediaRequestsFor, turnOff, turnOn } from '../support/lab-links.ts';
import { contentsOf } from '../support/media.ts';
import { type RunningProcess, startLab, temporaryFolder } from '../support/processes.ts';
import { bytesOf, renderItem } from '../support/render-item.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The tests' own lab, whose links they break. */
let lab: RunningProcess;
let world: ServiceWithAdmin;
let id: string;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  world = await startServiceWithAdmin(
    lab.url,
    folder.path,
    { MEGA: { requestsPerSecond: 1_000, startsPerSecond: 1_000, jobsAtOnce: 100 } },
    // With other client profiles, the many refused links of one test would change the profiles of the next one.
    { P1_CLIENTS: JSON.stringify({ mediaOrder: ['VISIONOS'] }) },
  );
  ({ id, key } = await world.create('MEGA'));
});
afterAll(async () => {
  await world.service.kill();
  await lab.stop();
  await folder.delete();
});

/** Returns the details of an item that were not cached. */
async function details(query: string, ownKey = key): Promise<Result> {
  const { body } = await fetchJson<Result>(`${world.service.url}${query}`, {
    headers: { 'x-marketplace-key': ownKey, 'x-marketplace-host': 'api.example', 'cache-control': 'no-cache' },
  });
  return body;
}

const p1 = (videoId: string, formats: string) =>
  `/p1/v3/video/details?videoId=${videoId}&renderableFormats=${encodeURIComponent(formats)}`;

async function renderable(query: string, ownKey = key): Promise<Renderable> {
  const { contents, error } = await details(query, ownKey);
  const item = contents?.[0]?.renderableVideos?.[0];
  if (item === undefined) throw new Error(`${query} has nothing to render: ${error?.message}`);
  return item;
}

/** Returns a file of the lab's CDN. */
const source = async (path: string) => (await fetchThroughLab(lab.url, `https://cdn.lab.example/media/${path}`)).body;

/** Returns the contents of the result of a job that must have succeeded. */
async function contentsOfResult({ output, error }: StatusEvent) {
  expect(error).toBeNull();
  return contentsOf(await bytesOf(output?.url));
}

/** Returns the contents that a join of two files of the lab must have. */
async function joined(video: string, audio: string) {
  const [{ video: pictures }, { audio: sound }] = [
    await contentsOf(await source(video)),
    await contentsOf(await source(audio)),
  ];
  return { video: pictures, audio: sound };
}

describe('a join whose links die', () => {
  test.each([
    ['at a byte', 'lab-old-30s', [['dies', { file: 136, at: 300_000, times: 1 }]]],
    ['before their first byte', 'lab-chapter', [['refused', { file: 140, times: 1 }]]],
    ['both at once', 'lab-collab2', [['refused', { times: 2 }]]],
    [
      'three times',
      'lab-no-talk',
      [
        ['dies', { file: 136, at: '200000,400000', times: 2 }],
        ['dies', { file: 140, at: 200_000, times: 1 }],
      ],
    ],
  ] as const)('%s is done, with the same contents', async (_name, item, behaviours) => {
    const before = await renderable(p1(item, '720p'));
    for (const [name, options] of behaviours) await turnOn(lab.url, 'p1', name, { item, ...options });
    const result = await contentsOfResult(await renderItem(before));
    expect(result).toEqual(await joined('amber-30/video-720.mp4', 'amber-30/audio.mp4'));
    const deaths = behaviours.reduce((sum, [, { times }]) => sum + times, 0);
    expect(await deathsOf(lab.url, item)).toBe(deaths);
    expect((await linkRequestsFor(lab.url, item)).length).toBeGreaterThan(1);
  });

  test('has a receipt that states the client profile of each input, and that links were replaced', async () => {
    const item = 'lab-hdr-vp9';
    const before = await renderable(p1(item, '720p'));
    await turnOn(lab.url, 'p1', 'dies', { item, file: 136, at: 300_000, times: 1 });
    const { error, output } = await renderItem(before);
    expect(error).toBeNull();
    const { body } = await fetchJson<{ payload: string }>(output?.receipt ?? '');
    const { inputs } = JSON.parse(Buffer.from(body.payload, 'base64url').toString());
    expect(inputs).toMatchObject([
      { representation: { repId: '136' }, links: { profiles: ['VISIONOS'], replacedLinks: 1 } },
      { representation: { repId: '140' }, links: { profiles: ['VISIONOS'], replacedLinks: 0 } },
    ]);
  });

  test('continues at the byte at which the link died', async () => {
    const item = 'lab-no-like';
    const before = await renderable(p1(item, '720p'));
    await turnOn(lab.url, 'p1', 'dies', { item, file: 136, at: 300_000, times: 1 });
    expect((await renderItem(before)).error).toBeNull();
    const last = (await mediaRequestsFor(lab.url, item, 136)).at(-1);
    const { length } = await source('amber-30/video-720.mp4');
    expect(last?.range).toMatch(/^bytes=300000-/);
    expect(last?.bytesSent).toBe(length - 300_000);
  });

  test('while it downloads, at an age, is done', async () => {
    const item = 'lab-med-slo';
    const before = await renderable(p1(item, '360p'));
    await turnOn(lab.url, 'p1', 'dies', { item, file: 134, age: 2_000, times: 1 });
    const result = await contentsOfResult(await renderItem(before));
    expect(result).toEqual(await joined('amber-30/video-360.mp4', 'amber-30/audio.mp4'));
    expect(await deathsOf(lab.url, item)).toBe(1);
  });

  test('because they have expired, is done', async () => {
    const item = 'lab-capt-no';
    await turnOn(lab.url, 'p1', 'expires', { item, age: 0 });
    const before = await renderable(p1(item, '360p'));
    await turnOff(lab.url, item);
    const result = await contentsOfResult(await renderItem(before));
    expect(result).toEqual(await joined('amber-30/video-360.mp4', 'amber-30/audio.mp4'));
  });

  test('costs nothing more', async () => {
    const item = 'lab-captxpe';
    const before = await renderable(p1(item, '144p'));
    const credits = await world.credits(id);
    await turnOn(lab.url, 'p1', 'refused', { item, times: 1 });
    expect((await renderItem(before)).error).toBeNull();
    expect(await world.credits(id)).toBe(credits);
  });
});

/** Returns the audio of a post of p4, whose inputs require a cookie. */
async function renderableAudio(postId: string): Promise<Renderable> {
  const url = encodeURIComponent(`https://www.tiktok.com/@thelab/video/${postId}`);
  const { contents, error } = await details(`/p4/v3/post/details?url=${url}`);
  const item = contents?.[0]?.renderableAudios?.[0];
  if (item === undefined) throw new Error(`${postId} has nothing to render: ${error?.message}`);
  return item;
}

test('a post of p4 whose link dies is rendered through another one', async () => {
  const item = '7559142440960000001';
  const before = await renderableAudio(item);
  await turnOn(lab.url, 'p4', 'dies', { item, at: 20_000, times: 1 });
  expect((await renderItem(before)).error).toBeNull();
  expect(await deathsOf(lab.url, item)).toBe(1);
});

test('a video of p5 whose segments are refused once is rendered', async () => {
  const item = 'xlab2';
  const before = await renderable(`/p5/v3/video/details?videoId=${item}&renderableFormats=lowres`);
  await turnOn(lab.url, 'p5', 'refused', { item, times: 1 });
  expect((await renderItem(before)).error).toBeNull();
  expect(await deathsOf(lab.url, item)).toBe(1);
});

test('an input whose file has another size now starts again', async () => {
  const item = 'lab-a-short';
  const before = await renderable(p1(item, '720p'));
  await turnOn(lab.url, 'p1', 'resized', { item });
  await turnOn(lab.url, 'p1', 'dies', { item, file: 136, at: 100_000, times: 1 });
  const { video } = await contentsOfResult(await renderItem(before));
  const changed = await contentsOf(await source('birch-12/video-720.mp4'));
  expect(video).toBe(changed.video);
  expect(video).not.toBe((await contentsOf(await source('amber-12/video-720.mp4'))).video);
});

describe('an item that the platform no longer shows', () => {
  test.each([
    ['removed', 'lab-60fps-1'],
    ['private', 'lab-hdr-vp9'],
    ['age_restricted', 'lab-live-ex'],
  ])('because it is %s, fails with the code and the words of the platform', async (name, item) => {
    const before = await renderable(p1(item, '144p'));
    await turnOn(lab.url, 'p1', name, { item });
    await turnOn(lab.url, 'p1', 'refused', { item });
    const { status, error, error_code } = await renderItem(before);
    const now = (await details(p1(item, '144p'))).error;
    expect(['not_found', 'unavailable', 'signin_required', 'age_restricted']).toContain(now?.code);
    expect([status, error_code]).toEqual(['failed', now?.code]);
    expect(error).toContain(now?.message);
  });
});

describe('a link that always dies', () => {
  const item = 'lab-dubbed1';

  test('ends its job after two replacements', async () => {
    const before = await renderable(p1(item, '144p'));
    const requests = (await linkRequestsFor(lab.url, item)).length;
    await turnOn(lab.url, 'p1', 'refused', { item });
    expect(await renderItem(before)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
    expect((await linkRequestsFor(lab.url, item)).length - requests).toBeLessThanOrEqual(4);
    await turnOff(lab.url, item);
  });

  test('drives at most four extractions in 24 hours, however often its job is started', async () => {
    const before = await renderable(p1(item, '144p'));
    const requests = (await linkRequestsFor(lab.url, item)).length;
    await turnOn(lab.url, 'p1', 'refused', { item });
    const { executionUrl = '', sseStatusUrl = '' } = before.renderConfig ?? {};
    for (let start = 0; start < 8; start += 1) {
      await fetchJson(executionUrl);
      expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
    }
    expect((await linkRequestsFor(lab.url, item)).length - requests).toBeLessThanOrEqual(4);
    await turnOff(lab.url, item);
  });
});

test('the links of a revoked key are not replaced', async () => {
  const item = 'lab-med-slo';
  const owner = await world.create('MEGA');
  const before = await renderable(p1(item, '360p'), owner.key);
  const requests = (await linkRequestsFor(lab.url, item)).length;
  await turnOn(lab.url, 'p1', 'dies', { item, age: 10_000 });
  const ended = renderItem(before);
  // The links die while the job is running, after the key has ended.
  await world.admin('DELETE', `/admin/keys/${owner.id}`);
  expect((await ended).status).not.toBe('done');
  expect(await linkRequestsFor(lab.url, item)).toHaveLength(requests);
  await turnOff(lab.url, item);
});

describe('a replacement that leads elsewhere', () => {
  test('is used if it is another public host', async () => {
    const item = 'lab-geo-fr1';
    const own = 'lab-plain30';
    const before = await renderable(p1(own, '720p'));
    const to = `https://cdn.lab.example/media/amber-30/video-720.mp4?token=${item}`;
    await turnOn(lab.url, 'p1', 'elsewhere', { item: own, file: 136, to });
    await turnOn(lab.url, 'p1', 'refused', { item: own, file: 136, times: 1 });
    const result = await contentsOfResult(await renderItem(before));
    expect(result).toEqual(await joined('amber-30/video-720.mp4', 'amber-30/audio.mp4'));
    const requests = await findRequests(lab.url, { token: item });
    expect(requests.length).toBeGreaterThan(0);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('cookie');
    await turnOff(lab.url, own);
  });

  test('is requested without the cookies of the host before', async () => {
    const item = '7559142440960000006';
    const before = await renderableAudio(item);
    const to = 'https://cdn.lab.example/media/amber-2/movie-360.mp4?token=p4-healed-elsewhere';
    await turnOn(lab.url, 'p4', 'elsewhere', { item, to });
    await turnOn(lab.url, 'p4', 'refused', { item });
    expect((await renderItem(before)).error).toBeNull();
    const requests = await findRequests(lab.url, { token: 'p4-healed-elsewhere' });
    expect(requests.length).toBeGreaterThan(0);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('cookie');
  });

  test.each(['http://169.254.169.254/latest/meta-data', 'https://127.0.0.1/video.mp4', 'https://[::1]/video.mp4'])(
    'to an internal address is refused: %s',
    async (to) => {
      const item = 'lab-ip-only';
      const before = await renderable(p1(item, '144p'));
      await turnOn(lab.url, 'p1', 'elsewhere', { item, to });
      await turnOn(lab.url, 'p1', 'refused', { item });
      expect((await renderItem(before)).status).toBe('failed');
      const { hostname, pathname } = new URL(to);
      expect(await findRequests(lab.url, { host: hostname, path: pathname })).toEqual([]);
      await turnOff(lab.url, item);
    },
  );
});

import { describe, expect, inject, test } from 'vitest';
import type { Item, Renderable, Result } from '../support/envelope.ts';
import { fetchJson, outcome, type StatusEvent } from '../support/http-client.ts';
import { findRequests, type LabRequest, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';
import { openP4, postId, postLink } from '../support/p4-client.ts';
import { keys } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');
const { post } = openP4(service);

/** Returns the first content item of a post. */
async function contentOf(number: number, key?: string) {
  const { body } = await post(postLink(number), key);
  expect(body.error).toBeNull();
  return body.contents?.[0] ?? {};
}

/** Returns the main file of a video. */
async function mainOf(number: number): Promise<Item> {
  const [main] = (await contentOf(number)).videos ?? [];
  if (main === undefined) throw new Error(`post ${number} has no video`);
  return main;
}

const requestsTo = (host: string, path: string): Promise<readonly LabRequest[]> => findRequests(lab, { host, path });

async function renderOf({ renderConfig, repId }: Renderable): Promise<StatusEvent> {
  const started = await fetchJson<{ jobId: string }>(renderConfig?.executionUrl ?? '');
  expect([started.status, started.body.jobId]).toEqual([202, repId]);
  return await outcome(renderConfig?.sseStatusUrl ?? '');
}

const fileOf = async (url = '') => Buffer.from(await (await fetch(url)).arrayBuffer());
const codeOf = async (response: Response) => ((await response.json()) as Result).error?.code;
const videoHost = 'v16-webapp-prime.tiktok.com';
const pathOf = (number: number) => `/video/tos/lab/tos-lab-ve-0068c001/o${postId(number)}`;

describe('links', () => {
  test('of videos lead through the service, because the CDN refuses plain clients', async () => {
    const { videos = [], audios = [], images = [] } = await contentOf(2);
    expect(videos).toHaveLength(2);
    for (const { url, metadata } of videos) {
      expect(url.startsWith(`${service}/relay/`)).toBe(true);
      const response = await fetch(url);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
      const file = Buffer.from(await response.arrayBuffer());
      expect(file.length).toBe(metadata.content_length);
      expect((await inspect(file)).tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
      // A relay link is valid for six hours, and the source's link for two days.
      const hours = (Date.parse(String(metadata.expires_at)) - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(5.9);
      expect(hours).toBeLessThanOrEqual(6);
    }
    for (const { url } of [...audios, ...images])
      expect(url).toMatch(/^https:\/\/\w+(?:-common-sign)?\.tiktokcdn\.com\//);
  });

  test('of the played part of music also lead through the service', async () => {
    const [part, whole] = (await contentOf(4)).audios ?? [];
    expect(whole?.url).toMatch(/^https:\/\/v77\.tiktokcdn\.com\//);
    const response = await fetch(part?.url ?? '');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mp4']);
  });

  test('send the cookie, Referer and User-Agent of their page, and no response contains the cookie', async () => {
    const { body } = await post(postLink(1));
    expect(JSON.stringify(body)).not.toMatch(/tt_chain_token|Mozilla|cookie/i);
    const range = await fetch(body.contents?.[0]?.videos?.[0]?.url ?? '', { headers: { range: 'bytes=4-7' } });
    expect([range.status, await range.text()]).toEqual([206, 'ftyp']);
    const requests = await requestsTo(videoHost, pathOf(1));
    expect(requests.at(-1)).toMatchObject({
      headers: {
        cookie: expect.stringMatching(/^tt_chain_token=[^;]+$/),
        referer: 'https://www.tiktok.com/',
        'user-agent': expect.stringContaining('Windows'),
      },
    });
  });

  test('send the headers of a phone when the post was found as one', async () => {
    const main = await mainOf(21);
    expect((await fetch(main.url, { method: 'HEAD' })).status).toBe(200);
    const agents = (await requestsTo(videoHost, pathOf(21))).map(({ headers }) => headers['user-agent']);
    expect(agents.at(-1)).toContain('iPhone');
  });

  test('send no cookie to another host when redirected', async () => {
    const main = await mainOf(65);
    expect((await inspect(await fileOf(main.url))).tracks).toHaveLength(2);
    const [elsewhere] = (await requestsWithToken(lab, 'p4-elsewhere')).slice(-1);
    expect(elsewhere).toMatchObject({ host: 'cdn.lab.example' });
    expect(elsewhere?.headers).not.toHaveProperty('cookie');
  });

  test.each([
    [61, 403, 'unavailable'],
    [62, 502, 'invalid_response_data'],
    [63, 410, 'token_expired'],
  ])('of post %i return %i %s', async (number, status, code) => {
    const response = await fetch((await mainOf(number)).url);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
  });
});

describe('renderableAudios', () => {
  test('render the audio of a video into a separate file', async () => {
    const [item] = (await contentOf(2)).renderableAudios ?? [];
    expect(item).toMatchObject({ label: 'audio', metadata: { mime_type: 'audio/mp4', width: 0, has_audio: true } });
    const event = await renderOf(item ?? { label: '' });
    expect(event).toMatchObject({ status: 'done' });
    const { tracks, duration } = await inspect(await fileOf(event.output?.url));
    expect(tracks.map(({ kind, codec }) => [kind, codec])).toEqual([['audio', 'aac']]);
    expect(duration).toBeCloseTo(2, 0);
  });

  test.each([
    ['music of a photo post', 3, 'mp3'],
    ['the played part of music', 4, 'aac'],
    ['music with an unlabelled link', 5, 'aac'],
  ])('store %s unchanged', async (_name, number, codec) => {
    const [item] = (await contentOf(number)).renderableAudios ?? [];
    const event = await renderOf(item ?? { label: '' });
    expect(event).toMatchObject({ status: 'done' });
    const { tracks } = await inspect(await fileOf(event.output?.url));
    expect(tracks.map(({ kind, codec }) => [kind, codec])).toEqual([['audio', codec]]);
  });

  test('survive a connection that breaks once, and a redirect to another host', async () => {
    for (const number of [64, 65]) {
      const [item] = (await contentOf(number)).renderableAudios ?? [];
      expect(await renderOf(item ?? { label: '' })).toMatchObject({ status: 'done' });
    }
    for (const { headers } of await requestsWithToken(lab, 'p4-elsewhere'))
      expect(headers).not.toHaveProperty('cookie');
  });

  test.each([
    ['is refused', 61, /403|refused/],
    ['is a web page', 62, /web page/],
  ])('end the render with a reason when their media %s', async (_name, number, words) => {
    const [item] = (await contentOf(number)).renderableAudios ?? [];
    expect(await renderOf(item ?? { label: '' })).toMatchObject({
      status: 'failed',
      output: null,
      error: expect.stringMatching(words),
    });
  });

  test('are offered to every plan, for one credit', async () => {
    for (const key of [keys.BASIC, keys.MEGA]) {
      const { body } = await post(postLink(2), key);
      expect(body.contents?.[0]?.renderableAudios?.[0]?.renderConfig).toBeDefined();
      expect(body.notes).toContain('This request cost 1 credit.');
    }
  });

  test('starts a job after its source links have expired, which fails if the new ones have expired, too', async () => {
    const [item] = (await contentOf(63)).renderableAudios ?? [];
    expect(await renderItem(item)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
  });
});

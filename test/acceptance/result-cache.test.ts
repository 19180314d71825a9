import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract, fetchJson, type JsonResponse } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';
import { keys, type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let lab: RunningProcess;
/** A lab only for p5 that responds slowly, so that requests overlap. */
let slowLab: RunningProcess;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  // Much less than the service waits for optional parts of p5's results.
  [lab, slowLab] = await Promise.all([startLab(), startLab({ LAB_LATENCY: '400' })]);
  service = await startService(lab.url, folder.path, {
    EGRESS_CONNECT_TO: `*.dailymotion.com=${slowLab.url},*=${lab.url}`,
  });
});
afterAll(async () => {
  await service.kill();
  await Promise.all([lab.stop(), slowLab.stop()]);
  await folder.delete();
});

const p5 = (query: string, key?: string): Promise<JsonResponse<Result>> =>
  extract<Result>(`${service.url}/p5/v3/video/details?${query}`, key);
const p1 = (path: string, query: string, key?: string): Promise<JsonResponse<Result>> =>
  extract<Result>(`${service.url}/p1/v3${path}?${query}`, key);

/**
 * Repeats a request until the result is complete and therefore cached. The lab makes the files of a video when they are
 * first listed, which may take longer than the service waits. The service then reports the missing parts, and requests
 * them again the next time.
 */
async function untilKept(path: string, query: string): Promise<void> {
  await expect.poll(async () => (await p1(path, query)).headers.get('cache-control')).toContain('max-age');
}

/** Returns the number of requests for a video of p5 to the site: each extraction requests its metadata once. */
async function countRequestsFor(videoId: string): Promise<number> {
  return (await findRequests(slowLab.url, { host: 'www.dailymotion.com', path: `/player/metadata/video/${videoId}?` }))
    .length;
}

/** Returns the number of requests to an interface of p1 that contain a text. */
async function countRequestsWith(text: string, path = '/youtubei/v1/'): Promise<number> {
  const hosts = ['www.youtube.com', 'youtubei.googleapis.com'];
  const requests = await Promise.all(hosts.map((host) => findRequests(lab.url, { host, path })));
  return requests.flat().filter(({ body }) => body.includes(text)).length;
}

describe('identical requests', () => {
  test('share one request to the source when a hundred arrive at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, () => p5('videoId=xcacheall')));
    expect(await countRequestsFor('xcacheall')).toBe(1);
    const titles = responses.map(({ status, body }) => [status, body.error, body.metadata.title]);
    expect(new Set(titles.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(titles[0]).toEqual([200, null, expect.any(String)]);
  });

  test('share one request to the source when sequential, and the later response has an Age', async () => {
    const first = await p1('/search', 'query=kept mills');
    const siteRequests = await countRequestsWith('kept mills', '/youtubei/v1/search');
    const second = await p1('/search', 'query=kept mills');
    expect(await countRequestsWith('kept mills', '/youtubei/v1/search')).toBe(siteRequests);
    expect(second.body).toEqual(first.body);
    for (const { headers } of [first, second]) {
      expect(headers.get('cache-control')).toBe('private, max-age=120');
      expect(headers.get('vary')).toMatch(/X-Marketplace-Key/i);
    }
    expect(first.headers.get('age')).toBeNull();
    expect(Number(second.headers.get('age'))).toBeLessThan(120);
    expect(second.headers.get('age')).toMatch(/^\d+$/);
  });

  test('may differ in order, letter case, duplicates and defaults', async () => {
    const spellings = [
      'query=many%20words&features=hd,4k&lang=de',
      'lang=DE&features=4k,hd,hd&query=many%20words',
      'features=4k%2Chd&query=%20many%20words%20&lang=de&uploadDate=all&duration=all&nextToken=&unknown=1',
      'features=hd&query=many%20words&features=4k&lang=de',
      'features=4k,hd&features=&query=many%20words&features=hd&lang=de',
    ];
    const responses: JsonResponse<Result>[] = [];
    for (const spelling of spellings) responses.push(await p1('/search/video', spelling));
    const siteRequests = await countRequestsWith('many words', '/youtubei/v1/search');
    expect(responses.map(({ body }) => body)).toEqual(spellings.map(() => responses[0]?.body));
    // One request in the caller's language, and one in English from which numbers are parsed.
    expect(siteRequests).toBeLessThanOrEqual(2);
    await p1('/search/video', 'query=many%20words&features=hd&lang=de');
    expect(await countRequestsWith('many words', '/youtubei/v1/search')).toBe(2 * siteRequests);
  });

  test('may request different parts of a result that need the same source requests', async () => {
    const details = (fields: string) => p1('/video/details', `videoId=lab-plain30&fields=${fields}`);
    await untilKept('/video/details', 'videoId=lab-plain30&fields=contents');
    const [videos, audios] = [await details('contents.videos'), await details('contents.audios')];
    expect([videos, audios].map(({ body }) => Object.keys(body.contents?.[0] ?? {}))).toEqual([['videos'], ['audios']]);
    for (const { headers } of [videos, audios]) expect(headers.get('age')).toMatch(/^\d+$/);
    expect((await details('metadata.author')).headers.get('age')).toBeNull();
  });

  test('of later pages are shared, and lead to the same pages', async () => {
    const first = await p1('/playlist', 'playlistId=PLcP9XsMNoKXoFriz15rDgm3S_1eFi0nJR');
    const { nextToken } = first.body.metadata.playlist as { nextToken: string };
    const page = () => p1('/playlist', `playlistId=PLcP9XsMNoKXoFriz15rDgm3S_1eFi0nJR&nextToken=${nextToken}`);
    const [one, other] = [await page(), await page()];
    expect(one.body.error).toBeNull();
    expect(other.body).toEqual(one.body);
    expect(other.headers.get('age')).toMatch(/^\d+$/);
    expect(one.body.metadata.playlist).not.toEqual(first.body.metadata.playlist);
  });
});

describe('caller-specific parts of a result', () => {
  test('are never shared: each plan has its own renders, sealed for its own key', async () => {
    const query = 'videoId=xcacheplans&renderableFormats=240,380,480';
    // A result without its optional parts, which a busy service may miss, is not cached.
    await expect.poll(async () => (await p5(query, keys.BASIC)).headers.get('age')).toMatch(/^\d+$/);
    const siteRequests = await countRequestsFor('xcacheplans');
    const [basic, mega, again] = [await p5(query, keys.BASIC), await p5(query, keys.MEGA), await p5(query, keys.MEGA)];
    expect(await countRequestsFor('xcacheplans')).toBe(siteRequests);
    const rendersOf = ({ body }: JsonResponse<Result>) => body.contents?.[0]?.renderableVideos ?? [];
    const ready = (response: JsonResponse<Result>) =>
      rendersOf(response).filter(({ renderConfig }) => renderConfig).length;
    expect([ready(basic), ready(mega), ready(again)]).toEqual([1, 3, 3]);
    const urls = [basic, mega, again]
      .flatMap(rendersOf)
      .flatMap(({ renderConfig }) => renderConfig?.executionUrl ?? []);
    expect(new Set(urls).size).toBe(7);
    for (const { headers } of [basic, mega, again]) expect(headers.get('cache-control')).toBe('private, no-store');
    expect(again.headers.get('age')).toMatch(/^\d+$/);
  });

  test('can be requested later, and cost their usual price', async () => {
    const video = 'videoId=lab-a-short';
    await untilKept('/video/details', video);
    const plain = await p1('/video/details', video);
    const siteRequests = await countRequestsWith('lab-a-short');
    const proxiedBody = await p1('/video/details', `${video}&urlAccess=proxied`);
    const other = await p1('/video/details', `${video}&urlAccess=proxied`, keys.PRO);
    const renderableBody = await p1('/video/details', `${video}&renderableFormats=lowres`);
    expect(await countRequestsWith('lab-a-short')).toBe(siteRequests);
    const linkOf = ({ body }: JsonResponse<Result>) => body.contents?.[0]?.videos?.[0]?.url ?? '';
    expect(linkOf(plain)).not.toContain(service.url);
    expect(linkOf(renderableBody)).toBe(linkOf(plain));
    expect(linkOf(proxiedBody)).toMatch(`${service.url}/relay/`);
    expect(linkOf(other)).not.toBe(linkOf(proxiedBody));
    const prices = [plain, proxiedBody, other, renderableBody].map(({ body }) => body.notes?.at(-1));
    expect(prices.map((note) => /\d/.exec(note ?? '')?.[0])).toEqual(['1', '2', '2', '2']);
    expect(plain.headers.get('cache-control')).toBe('private, max-age=120');
    for (const { headers } of [proxiedBody, other, renderableBody])
      expect(headers.get('cache-control')).toMatch(/no-store/);
    expect(plain.body.notes?.join()).toContain('User-Agent');
    expect(proxiedBody.body.notes?.join()).not.toContain('User-Agent');
  });

  test('are not served before the key is checked', async () => {
    expect((await p5('videoId=xcachekey')).status).toBe(200);
    const { status, body } = await p5('videoId=xcachekey', 'a-wrong-key');
    expect([status, body.error?.code]).toEqual([401, 'invalid_user_details']);
  });
});

describe('the result cache', () => {
  test('does not serve expired links', async () => {
    const first = await p1('/video/details', 'videoId=lab-expired');
    const siteRequests = await countRequestsWith('lab-expired');
    const second = await p1('/video/details', 'videoId=lab-expired');
    expect([first.body.error, second.body.error]).toEqual([null, null]);
    expect(await countRequestsWith('lab-expired')).toBe(2 * siteRequests);
    for (const { headers } of [first, second]) {
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('age')).toBeNull();
    }
  });

  test('does not serve failures that a retry may fix', async () => {
    for (const siteRequests of [1, 2]) {
      const { body, headers } = await p5('videoId=xlabmetahtml');
      expect(body.error?.retryable).toBe(true);
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(await countRequestsFor('xlabmetahtml')).toBeGreaterThanOrEqual(siteRequests);
    }
  });

  test('does not serve requests with Cache-Control: no-cache', async () => {
    const url = `${service.url}/p1/v3/search?query=fresh%20mills`;
    const headers = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };
    await fetchJson(url, { headers });
    const siteRequests = await countRequestsWith('fresh mills', '/youtubei/v1/search');
    const uncached = await fetchJson(url, { headers: { ...headers, 'cache-control': 'no-cache' } });
    expect(uncached.headers.get('age')).toBeNull();
    expect(await countRequestsWith('fresh mills', '/youtubei/v1/search')).toBe(2 * siteRequests);
    expect((await fetchJson(url, { headers })).headers.get('age')).toMatch(/^\d+$/);
  });

  test('does not serve partially failed results', async () => {
    const first = await p1('/video/details', 'videoId=lab-next503');
    expect(first.body.notes?.[0]).toMatch(/^Some details are missing/);
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    const siteRequests = await countRequestsWith('lab-next503', '/youtubei/v1/next');
    await p1('/video/details', 'videoId=lab-next503');
    expect(await countRequestsWith('lab-next503', '/youtubei/v1/next')).toBe(2 * siteRequests);
  });

  test('serves a lasting refusal for a short while', async () => {
    const first = await p5('videoId=xnotfound1');
    const siteRequests = await countRequestsFor('xnotfound1');
    const second = await p5('videoId=xnotfound1');
    expect(first.body.error).toMatchObject({ code: 'not_found', reason: expect.any(String) });
    // The ID is that of the request, also in a cached refusal.
    const requestId = second.body.error?.requestId;
    expect(requestId).toBe(second.headers.get('x-request-id'));
    expect(requestId).not.toBe(first.body.error?.requestId);
    expect(second.body).toEqual({ ...first.body, error: { ...first.body.error, requestId } });
    expect(second.headers.get('cache-control')).toBe('private, no-store');
    expect(await countRequestsFor('xnotfound1')).toBe(siteRequests);
  });
});

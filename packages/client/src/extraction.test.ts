import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MillraceApiError, MillraceNetworkError } from './errors.ts';
import { advanceTime } from './testing/advance-time.ts';
import { createBody, createTestClient, errorResponse, jsonResponse, successResponse } from './testing/test-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Returns the value or the error of a promise after all its pauses. */
async function settle<Value>(promise: Promise<Value>): Promise<Value | unknown> {
  const result = promise.catch((error: unknown) => error);
  await advanceTime();
  return result;
}

describe('a method', () => {
  it('requests its endpoint with keys and joined lists', async () => {
    const { client, requests } = createTestClient(() => successResponse({ title: 'A title' }));
    const answer = await client.p1.video.details({
      videoId: 'dQw4w9WgXcQ',
      renderableFormats: ['720p', 'lowres'],
      getTranscript: true,
      lang: undefined,
    });
    expect(answer.metadata.title).toBe('A title');
    expect(String(requests[0]?.url)).toBe(
      'https://api.example/p1/v3/video/details?videoId=dQw4w9WgXcQ&renderableFormats=720p%2Clowres&getTranscript=true',
    );
    expect(requests[0]?.headers.get('x-marketplace-key')).toBe('a-key');
    expect(requests[0]?.headers.get('x-marketplace-host')).toBe('api.example');
  });

  it('is named after the words of its path', async () => {
    const { client, requests } = createTestClient(() => successResponse());
    await client.p1.search({ query: 'a & b' });
    await client.p1.search.video({ query: 'b', features: ['hd', '4k'] });
    await client.p1.channel.idFromHandle({ handle: '@a' });
    await client.p2.media.post.details({ shortcode: 'c' });
    await client.p2.user.profile.idFromUsername({ username: 'd' });
    await client.extract('p6', 'pin/details', { pinId: '1' });
    expect(requests.map(({ url }) => url.pathname + url.search)).toEqual([
      '/p1/v3/search?query=a+%26+b',
      '/p1/v3/search/video?query=b&features=hd%2C4k',
      '/p1/v3/channel/id-from-handle?handle=%40a',
      '/p2/v3/media/post/details?shortcode=c',
      '/p2/v3/user/profile/id-from-username?username=d',
      '/p6/v3/pin/details?pinId=1',
    ]);
  });

  it('sends no keys if there are none, and keeps the path of the base address', async () => {
    const { client, requests } = createTestClient(() => successResponse(), {
      url: 'https://api.example/media?x=1',
      key: undefined,
    });
    await client.p6.pin.details({ pinId: '1' });
    expect(requests[0]?.url.href).toBe('https://api.example/media/p6/v3/pin/details?pinId=1');
    expect([...(requests[0]?.headers.keys() ?? [])]).toEqual([]);
  });

  it('requests the endpoint of a recognised link', async () => {
    const { client, requests } = createTestClient(() => successResponse());
    const link = { platform: 'p5', endpoint: 'video/details', parameters: { videoId: 'x1' } } as const;
    await client.extractLink(link, { renderableFormats: ['all'] });
    expect(requests[0]?.url.search).toBe('?videoId=x1&renderableFormats=all');
  });
});

describe('an error', () => {
  it('in a response is thrown with all its members', async () => {
    const { client, requests } = createTestClient(() =>
      jsonResponse({
        error: {
          message: 'Not here.',
          code: 'unavailable',
          statusCode: 403,
          retryable: false,
          reason: 'Blocked',
          allowedCountries: ['FR'],
        },
        contents: [],
        metadata: {},
      }),
    );
    const error = await client.p5.video.details({ videoId: 'x1' }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(MillraceApiError);
    expect(error).toMatchObject({
      message: 'Not here.',
      code: 'unavailable',
      statusCode: 403,
      retryable: false,
      reason: 'Blocked',
      detail: { allowedCountries: ['FR'] },
      request: { method: 'GET', url: 'https://api.example/p5/v3/video/details', parameters: { videoId: 'x1' } },
    });
    expect(requests).toHaveLength(1);
  });

  it('names the invalid parameter of the request', async () => {
    const { client } = createTestClient(() =>
      errorResponse(400, 'invalid_params', { retryable: false, parameter: 'lang' }),
    );
    await expect(client.p1.search({ query: 'a', lang: '??' })).rejects.toMatchObject({
      code: 'invalid_params',
      statusCode: 400,
      parameter: 'lang',
    });
  });

  it('is a MillraceApiError if a gateway responds without an error body', async () => {
    const { client } = createTestClient(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await expect(client.p1.search({ query: 'a' })).rejects.toMatchObject({
      name: 'MillraceApiError',
      code: 'other',
      statusCode: 502,
      retryable: true,
    });
  });

  it('is thrown for a response that is not from the service', async () => {
    const { client } = createTestClient(() => new Response('<h1>Welcome</h1>'));
    await expect(client.p1.search({ query: 'a' })).rejects.toMatchObject({
      name: 'MillraceNetworkError',
      fault: 'unreadable',
      message: expect.stringContaining('did not return JSON'),
    });
  });
});

describe('retries', () => {
  it('wait as long as the service requests', async () => {
    const { client, requests } = createTestClient((_, attempt) =>
      attempt < 3 ? errorResponse(429, 'rate_limited', {}, { 'retry-after': '7' }) : successResponse(),
    );
    const answer = client.p1.search({ query: 'a' });
    await vi.advanceTimersByTimeAsync(6_900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await answer).toMatchObject({ error: null });
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['503', () => errorResponse(503, 'service_unavailable')],
    [
      'no response',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('happen twice after %s', async (_, handler) => {
    const { client, requests } = createTestClient(handler);
    expect(await settle(client.p1.search({ query: 'a' }))).toMatchObject({ retryable: true });
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['retries are turned off', () => errorResponse(503, 'service_unavailable'), { retries: 0 }],
    ['the quota is used up', () => errorResponse(429, 'quota_exceeded', { retryable: false }), {}],
    ['the delay would be too long', () => errorResponse(429, 'rate_limited', {}, { 'retry-after': '3600' }), {}],
    [
      'the platform failed, since each attempt costs credits',
      () =>
        jsonResponse({
          error: { code: 'non_2xx_response', message: 'x', statusCode: 502, retryable: true },
          metadata: {},
        }),
      {},
    ],
    ['a gateway failed', () => new Response('', { status: 502 }), {}],
  ])('do not happen if %s', async (_, handler, options) => {
    const { client, requests } = createTestClient(handler, options);
    expect(await settle(client.p1.search({ query: 'a' }))).toBeInstanceOf(MillraceApiError);
    expect(requests).toHaveLength(1);
  });

  it('do not happen if a request to store a job may have arrived', async () => {
    const { client, requests } = createTestClient(() => {
      throw new TypeError('fetch failed');
    });
    const job = { inputs: [], output: { ext: 'mp4' }, operation: { type: 'no_process' as const } };
    expect(await settle(client.renders.store(job))).toMatchObject({ fault: 'unreachable' });
    expect(requests).toHaveLength(1);
  });
});

describe('a call ends', () => {
  it('when its timeout expires', async () => {
    const { client, requests } = createTestClient(({ signal }) => new Response(createBody(['{'], 'silent', signal)), {
      timeout: 5_000,
    });
    const error = await settle(client.p1.search({ query: 'a' }));
    expect(error).toBeInstanceOf(MillraceNetworkError);
    expect(error).toMatchObject({ fault: 'timeout', retryable: true });
    expect(requests).toHaveLength(1);
  });

  it("with the reason of its own signal or of the client's signal", async () => {
    for (const own of [true, false]) {
      const controller = new AbortController();
      const options = own ? {} : { signal: controller.signal };
      const { client } = createTestClient(({ signal }) => new Response(createBody([], 'silent', signal)), options);
      const answer = client.p1.search({ query: 'a' }, own ? { signal: controller.signal } : {});
      const reason = new Error('enough');
      controller.abort(reason);
      await expect(answer).rejects.toBe(reason);
      await expect(client.p1.search({ query: 'a' }, { signal: controller.signal })).rejects.toBe(reason);
    }
  });

  it('when aborted during the pause before a retry', async () => {
    const controller = new AbortController();
    const { client, requests } = createTestClient(() => errorResponse(503, 'service_unavailable'));
    const answer = client.p1.search({ query: 'a' }, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1);
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(requests).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('without leaving a timer behind', async () => {
    const { client } = createTestClient(() => successResponse());
    await client.p1.search({ query: 'a' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a list', () => {
  const pages: Record<string, { items: string[]; next: string | null }> = {
    '': { items: ['a', 'b'], next: 'two' },
    two: { items: ['c'], next: 'three' },
    three: { items: ['d', 'e'], next: null },
  };
  const createListClient = () =>
    createTestClient(({ url }) => {
      const page = pages[url.searchParams.get('nextToken') ?? ''];
      const contents = page?.items.map((id) => ({ type: 'short', id }));
      return successResponse({ channel: { shorts: { contents, nextToken: page?.next } } });
    });
  const parameters = { channelId: 'UC1', contentType: 'shorts' } as const;

  it('is iterated page by page to its end', async () => {
    const { client, requests } = createListClient();
    const ids: string[] = [];
    for await (const page of client.pages('p1', 'channel/videos', parameters)) {
      ids.push(page.metadata.channel?.shorts?.contents.map(({ id }) => id).join('') ?? '');
    }
    expect(ids).toEqual(['ab', 'c', 'de']);
    expect(requests.map(({ url }) => url.search)).toEqual([
      '?channelId=UC1&contentType=shorts',
      '?channelId=UC1&contentType=shorts&nextToken=two',
      '?channelId=UC1&contentType=shorts&nextToken=three',
    ]);
  });

  it.each([
    [0, '', 0],
    [1, 'a', 1],
    [2, 'ab', 1],
    [3, 'abc', 2],
    [9, 'abcde', 3],
  ])('returns at most %i items and requests no more pages than necessary', async (limit, ids, requestCount) => {
    const { client, requests } = createListClient();
    let seenIds = '';
    for await (const { id } of client.items('p1', 'channel/videos', parameters, { limit })) seenIds += id;
    expect([seenIds, requests.length]).toEqual([ids, requestCount]);
  });

  it('returns at most the requested number of pages, starting at a given token', async () => {
    const { client, requests } = createListClient();
    const from = client.pages('p1', 'channel/videos', { ...parameters, nextToken: 'two' }, { limit: 1 });
    for await (const page of from) expect(page.metadata.channel?.shorts?.contents).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  it('without items is empty', async () => {
    const { client } = createTestClient(() => successResponse());
    for await (const item of client.items('p3', 'profile/reels', { url: 'https://fb.com/a' }))
      expect(item).toBe('none');
  });
});

it('invalid calls are compile-time errors', () => {
  const { client } = createTestClient(() => successResponse());
  const wrong = [
    // @ts-expect-error: a parameter is missing.
    () => client.p2.media.post.details({}),
    // @ts-expect-error: there is no such value.
    () => client.p1.search({ query: 'a', uploadDate: 'never' }),
    // @ts-expect-error: there is no such parameter.
    () => client.p6.pin.details({ pinId: '1', lang: 'de' }),
    // @ts-expect-error: it has no pages.
    () => client.pages('p1', 'video/details', { videoId: 'a' }),
    // @ts-expect-error: it is another platform's.
    () => client.extract('p5', 'pin/details', { pinId: '1' }),
    // @ts-expect-error: a member of a list has no such value.
    () => client.p1.search({ query: 'a', features: ['5k'] }),
  ];
  expect(wrong).toHaveLength(6);
});

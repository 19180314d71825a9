import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serviceCaller as caller } from '../../contract/caller.ts';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import { noSubjects } from '../../contract/subjects.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { Endpoint, Extraction } from '../../platforms/platform.ts';
import type { SourceQuery } from '../request/source-query.ts';
import type { FetchSource } from '../source/extract.ts';
import { createResultCache } from './result-cache.ts';

const start = Date.UTC(2026, 10, 21, 12);
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const connected = new AbortController().signal;
const endpoint: Endpoint = {
  path: '/list',
  summary: 'A list',
  parameters: Type.Object({}),
  credits: 1,
  contents: false,
  subjects: () => ({}),
  extract: () => Promise.reject(new Error('not here')),
};
const query = (key: string): SourceQuery => ({
  platform: 'p9',
  endpoint,
  parameters: {},
  pages: { token: () => null },
  isRequested: () => true,
  item: key,
  key,
});

/** Creates a cache for a site that returns these results, each with a different title. */
function cacheOf(result: () => Partial<Extraction>, bytes = 1_000_000) {
  const metrics = createMetrics();
  const fetchSource = vi.fn(async () => {
    const title = `answer ${fetchSource.mock.calls.length}`;
    return { metadata: { title }, exit: 'direct', ...result() };
  });
  const results = createResultCache({ fetchSource, bytes, metrics });
  const figure = async (name: string) =>
    Number((await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value);
  return {
    fetchSource,
    figure,
    fetch: (key = 'a', fresh = false) => results.fetch(query(key), caller, connected, fresh),
    titleOf: async (key = 'a') => (await results.fetch(query(key), caller, connected)).extraction.metadata.title,
    close: () => results.close(),
  };
}

const media = (expiresAt: number, inMetadata = false): SourceMedia => ({
  item: {
    label: 'x',
    url: 'https://cdn.example/x',
    repId: 'x',
    metadata: {
      mime_type: 'video/mp4',
      width: 0,
      height: 0,
      has_audio: true,
      ...(inMetadata ? { expires_at: new Date(expiresAt).toISOString() } : {}),
    },
  },
  ...(inMetadata ? {} : { stream: { ext: 'mp4', kind: 'muxed', expiresAt } }),
});

describe('a result', () => {
  test('is cached for two minutes', async () => {
    const { fetch, titleOf, fetchSource } = cacheOf(() => ({}));
    expect(await fetch()).toMatchObject({ fetchedAt: start, expiresAt: start + 120_000, isCached: false });
    await vi.advanceTimersByTimeAsync(119_000);
    expect(await fetch()).toMatchObject({ fetchedAt: start, expiresAt: start + 120_000, isCached: true });
    expect(await titleOf()).toBe('answer 1');
    await vi.advanceTimersByTimeAsync(1_001);
    expect(await titleOf()).toBe('answer 2');
    expect(fetchSource).toHaveBeenCalledTimes(2);
  });

  test('is shared by concurrent identical queries but not by different ones', async () => {
    const { titleOf, fetchSource } = cacheOf(() => ({}));
    const titles = await Promise.all([...Array.from({ length: 100 }, () => titleOf('a')), titleOf('b')]);
    expect(new Set(titles)).toEqual(new Set(['answer 1', 'answer 2']));
    expect(fetchSource).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['a stream', media(start + 100_000)],
    ['a picture', media(start + 100_000, true)],
  ])('expires a minute before the link of %s', async (_what, first) => {
    const contents = [
      { videos: [media(start + 900_000)], subjects: noSubjects },
      { audios: [media(start + 800_000)], images: [first], subjects: noSubjects },
    ];
    const { fetch, titleOf } = cacheOf(() => ({ contents }));
    expect(await fetch()).toMatchObject({ expiresAt: start + 40_000 });
    await vi.advanceTimersByTimeAsync(40_001);
    expect(await titleOf()).toBe('answer 2');
  });

  test('is not cached if a link has expired or is about to', async () => {
    const { fetch, titleOf } = cacheOf(() => ({
      contents: [{ videos: [media(start + 60_000)], subjects: noSubjects }],
    }));
    expect(await fetch()).toMatchObject({ fetchedAt: start, expiresAt: start, isCached: false });
    expect(await titleOf()).toBe('answer 2');
  });

  test('is not cached if it is incomplete', async () => {
    const { titleOf } = cacheOf(() => ({ incomplete: true }));
    expect([await titleOf(), await titleOf()]).toEqual(['answer 1', 'answer 2']);
  });

  test('is fetched again for a caller that accepts no cached result, and cached from then on', async () => {
    const { fetch, titleOf } = cacheOf(() => ({}));
    await fetch();
    expect(await fetch('a', true)).toMatchObject({ extraction: { metadata: { title: 'answer 2' } }, isCached: false });
    expect(await titleOf()).toBe('answer 2');
  });

  test('is copied, so that it retains no larger string', async () => {
    const page = `${'x'.repeat(100_000)}{"title":"a title out of a page"}`;
    const { fetch } = cacheOf(() => ({ metadata: { title: page.slice(100_010, 100_031) } }));
    expect((await fetch()).extraction).toEqual({ metadata: { title: 'a title out of a page' }, exit: 'direct' });
  });
});

describe('an error', () => {
  const failing = (code: ErrorCode, options = {}) =>
    cacheOf(() => {
      throw new MillraceError(code, 'No.', { cause: new Error('a page of 8 MB'), reason: 'its own words', ...options });
    });
  const codeOf = (fetch: () => Promise<unknown>) =>
    fetch().then(
      () => 'success',
      (error: unknown) => (error instanceof MillraceError ? error.code : error),
    );

  test.each(['not_found', 'unavailable', 'signin_required', 'age_restricted'] as const)(
    '%s is cached for 20 seconds',
    async (code) => {
      const { fetch, fetchSource } = failing(code, { detail: { allowedCountries: ['FR'] } });
      const [first, second] = [await fetch().catch((error) => error), await fetch().catch((error) => error)];
      expect(fetchSource).toHaveBeenCalledTimes(1);
      expect(second).not.toBe(first);
      expect(second).toBeInstanceOf(MillraceError);
      const { cause: _dropped, ...expected } = first;
      expect(second).toMatchObject({ ...expected, message: 'No.' });
      expect(second.cause).toBeUndefined();
      await vi.advanceTimersByTimeAsync(20_001);
      expect(await codeOf(fetch)).toBe(code);
      expect(fetchSource).toHaveBeenCalledTimes(2);
    },
  );

  test.each([
    'non_2xx_response',
    'connection_error',
    'unexpected_redirect',
    'invalid_response_data',
    'operation_timeout',
    'unexpected_error',
    'token_expired',
    'invalid_params',
    'unsupported_proxy_for_geo_targeting',
  ] as const)('%s is never cached', async (code) => {
    const { fetch, fetchSource } = failing(code);
    expect([await codeOf(fetch), await codeOf(fetch)]).toEqual([code, code]);
    expect(fetchSource).toHaveBeenCalledTimes(2);
  });

  test('that is retryable is never cached, whatever its code', async () => {
    const { fetch, fetchSource } = failing('unavailable', { retryable: true });
    expect([await codeOf(fetch), await codeOf(fetch)]).toEqual(['unavailable', 'unavailable']);
    expect(fetchSource).toHaveBeenCalledTimes(2);
  });

  test('that is internal is passed on unchanged', async () => {
    const bug = new TypeError('a bug');
    const { fetch } = cacheOf(() => {
      throw bug;
    });
    await expect(fetch()).rejects.toBe(bug);
  });
});

describe('cache memory', () => {
  const text = 'x'.repeat(20_000);

  test('is bounded by evicting the least recently used result', async () => {
    const { titleOf, fetchSource, figure } = cacheOf(() => ({ notes: [text] }), 200_000);
    for (const key of ['a', 'b', 'c', 'd', 'a', 'e']) await titleOf(key);
    expect(fetchSource).toHaveBeenCalledTimes(5);
    expect(await figure('millrace_answer_cache_entries')).toBe(4);
    expect(await figure('millrace_answer_cache_bytes')).toBeLessThanOrEqual(200_000);
    expect(await figure('millrace_answer_cache_bytes')).toBeGreaterThan(150_000);
    expect(await titleOf('a')).toBe('answer 1');
    expect(await titleOf('b')).toBe('answer 6');
  });

  test('does not store a result larger than the limit', async () => {
    const { titleOf, figure } = cacheOf(() => ({ notes: [text] }), 10_000);
    expect([await titleOf(), await titleOf()]).toEqual(['answer 1', 'answer 2']);
    expect(await figure('millrace_answer_cache_bytes')).toBe(0);
  });

  test('is released when results expire and when the cache closes', async () => {
    const { titleOf, figure, close } = cacheOf(() => ({}));
    await titleOf('a');
    await vi.advanceTimersByTimeAsync(60_000);
    await titleOf('b');
    expect(await figure('millrace_answer_cache_entries')).toBe(2);
    await vi.advanceTimersByTimeAsync(60_100);
    expect(await figure('millrace_answer_cache_entries')).toBe(1);
    await close();
    expect(await figure('millrace_answer_cache_bytes')).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of zero caches nothing but still shares running extractions', async () => {
    const { fetch, titleOf, fetchSource } = cacheOf(() => ({}), 0);
    expect(await fetch()).toMatchObject({ fetchedAt: start, expiresAt: start, isCached: false });
    expect(new Set(await Promise.all([titleOf(), titleOf()]))).toEqual(new Set(['answer 2']));
    expect(fetchSource).toHaveBeenCalledTimes(2);
  });
});

test('accounts do not join the extractions of visitors, whose queue may be long', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const callers: string[] = [];
  const fetchSource: FetchSource = async (_query, { key }) => {
    callers.push(key);
    if (key !== 'key') await promise;
    return { metadata: { title: key }, exit: 'direct' };
  };
  const results = createResultCache({ fetchSource, bytes: 0, metrics: createMetrics() });
  const fetch = (account: string, key = account) => results.fetch(query('a'), { account, key }, connected);
  const visitors = [fetch('page', 'page/one'), fetch('page', 'page/two')];
  expect((await fetch('key')).extraction.metadata.title).toBe('key');
  resolve();
  await Promise.all(visitors);
  expect(callers).toEqual(['page/one', 'key']);
});

test('the cache counts hits, misses and shared extractions', async () => {
  const metrics = createMetrics();
  const results = createResultCache({
    fetchSource: async () => ({ metadata: {}, exit: 'direct' }),
    bytes: 1_000_000,
    metrics,
  });
  await Promise.all([results.fetch(query('a'), caller, connected), results.fetch(query('a'), caller, connected)]);
  for (let times = 0; times < 3; times += 1) await results.fetch(query('a'), caller, connected);
  const { values = [] } = (await metrics.registry.getSingleMetric('millrace_answer_cache_requests_total')?.get()) ?? {};
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]))).toEqual({
    miss: 1,
    coalesced: 1,
    hit: 3,
  });
});

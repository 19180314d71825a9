import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import { createLocalMediaHealth } from '../../media-health/local-media-health.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { Endpoint, Platform } from '../../platforms/platform.ts';
import { type UnreadKinds, UnreadResponseError } from '../../platforms/unread.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { createSourceHealth } from './source-health.ts';
import { statusOf } from './status.ts';

const start = Date.UTC(2026, 10, 21, 14, 5);
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;

/** How often, how and where extractions end. */
interface Circumstances {
  readonly times?: number;
  readonly after?: number;
  readonly endpoint?: number;
  readonly signal?: AbortSignal;
  readonly unread?: UnreadKinds;
}

const endpoints = ['/post/details', '/user/details'].map(
  (path): Endpoint => ({
    path,
    summary: path,
    parameters: Type.Object({}),
    credits: 1,
    contents: false,
    subjects: () => ({}),
    extract: () => Promise.reject(new Error('not here')),
  }),
);
const platform = (id: string): Platform => ({
  ...{ id, title: id, version: '1', endpoints },
  channelName: (text) => text,
});

/** Creates the health of two platforms, and functions that let time and extractions pass. */
function open() {
  const metrics = createMetrics();
  const health = createSourceHealth([platform('p4'), platform('p5')], metrics);
  const mediaHealth = createLocalMediaHealth(metrics);
  const query = (id: string, place: number): SourceQuery => ({
    platform: id,
    endpoint: endpoints[place] as Endpoint,
    parameters: {},
    pages: { token: () => null },
    isRequested: () => true,
    item: 'i',
    key: 'k',
  });
  return {
    metrics,
    health,
    mediaHealth,
    /** Lets extractions of p4 end with this outcome, each `after` milliseconds after its start. */
    async pass(
      outcome: 'success' | ErrorCode | Error,
      { times = 1, after = 0, endpoint = 0, signal = stays, unread = {} }: Circumstances = {},
    ) {
      const fetchSource = health.instrument(async () => {
        await vi.advanceTimersByTimeAsync(after);
        if (outcome === 'success') return { metadata: {}, exit: 'direct', unread };
        throw outcome instanceof Error ? outcome : new MillraceError(outcome, 'No.');
      });
      for (let time = 0; time < times; time += 1)
        await fetchSource(query('p4', endpoint), serviceCaller, signal).catch(() => undefined);
    },
    of: (id: string) => statusOf(health, mediaHealth, start, []).platforms.find((one) => one.id === id),
  };
}

const stays = new AbortController().signal;
const nothing = { requests: 0, successes: 0, refusals: {}, failures: {}, faults: {}, failureRate: 0, latency: null };

describe('status', () => {
  test('contains every platform and endpoint before there was any traffic', () => {
    const { health, mediaHealth } = open();
    const idle = { state: 'ok', last15Minutes: nothing, last24Hours: nothing };
    const of = (id: string) => ({
      id,
      ...idle,
      endpoints: [
        { path: `/${id}/v3/post/details`, ...idle },
        { path: `/${id}/v3/user/details`, ...idle },
      ],
      breakers: [],
      media: [],
    });
    const time = new Date(start).toISOString();
    expect(statusOf(health, mediaHealth, start, [])).toEqual({
      at: time,
      since: time,
      platforms: [of('p4'), of('p5')],
    });
  });

  test('counts successes, refusals, failures and faults by code', async () => {
    const { pass, of } = open();
    await pass('success', { times: 4, after: 100 });
    await pass('not_found', { times: 2, after: 20 });
    await pass('unavailable');
    await pass('connection_error', { times: 2 });
    await pass('operation_timeout', { after: 4_000 });
    await pass(new TypeError('a bug'), { endpoint: 1 });
    expect(of('p4')?.last15Minutes).toEqual({
      requests: 11,
      successes: 4,
      refusals: { not_found: 2, unavailable: 1 },
      failures: { connection_error: 2, operation_timeout: 1 },
      faults: { unexpected_error: 1 },
      failureRate: 0.273,
      latency: { p50: expect.any(Number), p90: expect.any(Number), p99: expect.any(Number) },
    });
    const { p50 = 0, p90 = 0, p99 = 0 } = of('p4')?.last15Minutes.latency ?? {};
    expect([p50 >= 20 && p50 <= 24, p90 >= 100 && p90 <= 116, p99 >= 4_000 && p99 <= 4_601]).toEqual([
      true,
      true,
      true,
    ]);
    expect(of('p4')?.last24Hours).toEqual(of('p4')?.last15Minutes);
    expect(of('p4')?.endpoints.map(({ last15Minutes }) => last15Minutes.requests)).toEqual([10, 1]);
    expect(of('p5')?.last24Hours).toEqual(nothing);
  });

  test('forgets extractions after 15 minutes and after 24 hours', async () => {
    const { pass, of } = open();
    await pass('success');
    await vi.advanceTimersByTimeAsync(14 * MINUTE);
    expect(of('p4')?.last15Minutes.requests).toBe(1);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(of('p4')?.last15Minutes).toEqual(nothing);
    expect(of('p4')?.last24Hours.requests).toBe(1);
    await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE);
    expect(of('p4')?.last24Hours).toEqual(nothing);
  });

  test('keeps only its intervals, however long it runs', async () => {
    const { pass, health } = open();
    for (let minute = 0; minute < 2_000; minute += 1) {
      vi.setSystemTime(start + minute * MINUTE);
      await pass('success');
    }
    const traffic = health.traffic.get('p4');
    expect(traffic?.recent.intervals().length).toBe(15);
    expect(traffic?.day.intervals().length).toBe(96);
  });

  test('does not count extractions that never reached the source or were abandoned', async () => {
    const { pass, of, metrics } = open();
    await pass('invalid_url');
    await pass('unsupported_proxy_for_geo_targeting');
    const callerDisconnected = new MillraceError('connection_error', 'The caller has disconnected.');
    await pass(callerDisconnected, { signal: AbortSignal.abort(callerDisconnected) });
    expect(of('p4')?.last24Hours).toEqual(nothing);
    const late = new MillraceError('operation_timeout', 'Too long.');
    await pass(new Error('aborted'), { signal: AbortSignal.abort(late) });
    expect(of('p4')?.last24Hours.failures).toEqual({ operation_timeout: 1 });
    const { values = [] } = (await metrics.registry.getSingleMetric('millrace_extractions_total')?.get()) ?? {};
    expect(values.map(({ labels, value }) => [labels, value])).toEqual([
      [{ platform: 'p4', endpoint: '/post/details', code: 'operation_timeout' }, 1],
    ]);
  });

  test('reports the breakers of each platform', () => {
    const { health, mediaHealth } = open();
    const breaker = { exit: 'direct', state: 'open' as const };
    const { platforms } = statusOf(health, mediaHealth, start, [
      { ...breaker, platform: 'p4', since: new Date(start) },
    ]);
    const since = new Date(start).toISOString();
    expect(platforms.map((one) => one.breakers)).toEqual([[{ ...breaker, since }], []]);
  });
});

describe('the media of a platform', () => {
  test('is reported by client profile and exit', () => {
    const { mediaHealth, of } = open();
    const origin = { platform: 'p4', endpoint: '/post/details', content: 0, profile: 'phone page' };
    const fetch = { consumer: 'render', caller: serviceCaller, exit: 'fr-1', country: 'FR' } as const;
    for (const url of ['a', 'b', 'c', 'd']) {
      const itemOrigin = { ...origin, parameters: { url } };
      mediaHealth.report({ ...fetch, origin: itemOrigin, outcome: 'cut', status: 403, bytes: 1_048_576 });
    }
    const nothing = { arrived: 0, refused: 0, cut: 0, expired: 0, failed: 0 };
    expect(of('p4')?.media).toEqual([
      {
        profile: 'phone page',
        exit: 'fr-1',
        country: 'FR',
        state: 'cut',
        since: '2026-11-21T14:05:00.000Z',
        last15Minutes: { ...nothing, cut: 4 },
        last24Hours: { ...nothing, cut: 4 },
        lastRefusedAt: '2026-11-21T14:05:00.000Z',
        lastStatus: 403,
        bytesUntilFailure: 1_048_576,
      },
    ]);
    expect(of('p4')?.state).toBe('ok');
    for (let arrivals = 0; arrivals < 6; arrivals += 1) {
      mediaHealth.report({ ...fetch, origin: { ...origin, parameters: {} }, outcome: 'arrived', bytes: 5_000_000 });
    }
    expect(of('p4')?.media).toMatchObject([{ state: 'ok', last15Minutes: { arrived: 6, cut: 4 } }]);
  });
});

describe('drift', () => {
  const strange = { unread: { newRenderer: 2, 'odd kind': 1 } };

  test('is reported after three responses with unread entries, for the platform and its endpoint', async () => {
    const { pass, of } = open();
    await pass('success', { times: 100 });
    await pass('success', { ...strange, endpoint: 1, times: 2 });
    expect(of('p4')).toMatchObject({ state: 'ok' });
    expect(of('p4')).not.toHaveProperty('drift');
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await pass('success', { ...strange, endpoint: 1 });
    const drift = {
      since: new Date(start).toISOString(),
      responses: 3,
      kinds: { newRenderer: 6, other: 3 },
    };
    expect(of('p4')).toMatchObject({ state: 'drifting', drift });
    expect(of('p4')?.endpoints).toMatchObject([{ state: 'ok' }, { state: 'drifting', drift }]);
    expect(of('p4')?.endpoints[0]).not.toHaveProperty('drift');
    expect(of('p5')?.state).toBe('ok');
  });

  test.each([
    [1, 20, 'ok'],
    [2, 19, 'ok'],
    [2, 20, 'drifting'],
    [2, 41, 'ok'],
    [3, 1_000, 'drifting'],
  ])('of %i of %i responses in 15 minutes makes the state %s', async (odd, all, state) => {
    const { pass, of } = open();
    await pass('success', { ...strange, times: odd });
    await pass('success', { times: all - odd });
    expect(of('p4')?.state).toBe(state);
  });

  test('with little traffic is decided by 24 hours', async () => {
    const { pass, of } = open();
    for (let hour = 0; hour < 20; hour += 1) {
      await pass('success', hour % 10 === 0 ? strange : {});
      await vi.advanceTimersByTimeAsync(60 * MINUTE);
    }
    expect(of('p4')).toMatchObject({
      state: 'drifting',
      drift: { responses: 2, since: new Date(start - 5 * MINUTE).toISOString() },
    });
  });

  test('ends 15 minutes later if the day has many other responses', async () => {
    const { pass, of } = open();
    await pass('success', { times: 1_000 });
    await pass('success', { ...strange, times: 3 });
    expect(of('p4')?.state).toBe('drifting');
    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    expect(of('p4')?.state).toBe('ok');
  });

  test('includes responses of which nothing could be read, and yields to frequent failures', async () => {
    const { pass, of } = open();
    const unreadable = new UnreadResponseError('No.', { newTab: 1 });
    await pass(unreadable, { times: 3 });
    expect(of('p4')).toMatchObject({ state: 'drifting', drift: { responses: 3, kinds: { newTab: 3 } } });
    await pass(unreadable, { times: 7 });
    expect(of('p4')).toMatchObject({ state: 'failing', drift: { responses: 10 }, note: expect.any(String) });
  });

  test('includes unread responses without kinds, before and while the platform fails often', async () => {
    const { pass, of, metrics } = open();
    await pass('invalid_response_data', { times: 3 });
    expect(of('p4')).toMatchObject({ state: 'drifting', drift: { responses: 3, kinds: { response: 3 } } });
    await pass(new UnreadResponseError('No.', {}), { times: 7 });
    expect(of('p4')).toMatchObject({ state: 'failing', drift: { responses: 10, kinds: { response: 10 } } });
    const { values = [] } = (await metrics.registry.getSingleMetric('millrace_unread_shapes_total')?.get()) ?? {};
    expect(values).toEqual([{ labels: { platform: 'p4', endpoint: '/post/details', kind: 'response' }, value: 10 }]);
  });

  test.each([
    [4, 100, 'ok'],
    [5, 100, 'drifting'],
    [2, 9, 'ok'],
    [3, 9, 'drifting'],
  ])('of %i of %i responses without kinds, which may be damaged, makes the state %s', async (odd, all, state) => {
    const { pass, of } = open();
    await pass('success', { times: all - odd });
    await pass('invalid_response_data', { times: odd });
    expect(of('p4')?.state).toBe(state);
  });

  test('does not count failures of other kinds and abandoned extractions', async () => {
    const { pass, of } = open();
    await pass('connection_error', { times: 4 });
    const left = AbortSignal.abort(new MillraceError('connection_error', 'The caller has disconnected.'));
    await pass(new UnreadResponseError('No.', { newTab: 1 }), { times: 4, signal: left });
    expect(of('p4')).not.toHaveProperty('drift');
  });

  test('has at most 51 kinds, in /status and in the metric', async () => {
    const { pass, of, metrics } = open();
    const unread = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`kind${index}`, 1]));
    await pass('success', { unread, times: 3 });
    expect(Object.keys(of('p4')?.drift?.kinds ?? {})).toHaveLength(51);
    const { values = [] } = (await metrics.registry.getSingleMetric('millrace_unread_shapes_total')?.get()) ?? {};
    expect(values).toHaveLength(51);
    expect(values).toContainEqual({
      labels: { platform: 'p4', endpoint: '/post/details', kind: 'other' },
      value: 1_350,
    });
  });
});

describe('the failure note', () => {
  test('states how often a platform has failed and since when', async () => {
    const { pass, health, of } = open();
    await pass('success', { times: 50 });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await pass('non_2xx_response', { times: 3 });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    await pass('success', { times: 5, endpoint: 1 });
    await pass('not_found', { times: 2 });
    await pass('connection_error', { times: 2 });
    // Five of the twelve requests since the first failure failed.
    expect(health.note('p4')).toBe('p4 has failed for 42 % of requests since 14:07 UTC.');
    expect(of('p4')?.note).toBe(health.note('p4'));
    expect(health.note('p5')).toBeUndefined();
    expect(health.note('p9')).toBeUndefined();
  });

  test.each([
    ['there were few requests', 5, 4],
    ['failures are rare', 1, 9],
    ['nothing fails', 0, 100],
  ])('is absent if %s', async (_why, failures, successes) => {
    const { pass, health } = open();
    await pass('operation_timeout', { times: failures });
    await pass('success', { times: successes });
    expect(health.note('p4')).toBeUndefined();
  });

  test('disappears when the failures are 15 minutes old', async () => {
    const { pass, health } = open();
    await pass('invalid_response_data', { times: 10 });
    expect(health.note('p4')).toBeDefined();
    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    expect(health.note('p4')).toBeUndefined();
  });
});

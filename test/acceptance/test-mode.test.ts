/** @module-tag long */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AdminKey, type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import { items } from '../support/documented-test-items.ts';
import type { Result } from '../support/envelope.ts';
import {
  describeJob,
  extract,
  fetchJson,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys, startService, temporaryFolder } from '../support/processes.ts';
import { bytesOf } from '../support/render-item.ts';

/** A response or event that may belong to a test key. */
type MaybeTest<Body> = Body & { readonly test?: boolean };

/** A request that has left the service for the live internet. */
interface LiveRequest {
  readonly host: string | undefined;
  readonly method: string | undefined;
  readonly body: string;
}

/** The live internet of the service: it has none of the lab's items, and accepts webhooks. */
const liveRequests: LiveRequest[] = [];
const internet = createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  liveRequests.push({ host: request.headers.host, method: request.method, body });
  response.writeHead(request.headers.host === 'receiver.example' ? 200 : 404).end();
});

type IssuedKey = AdminKey & { readonly key: string; readonly test: boolean };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: ServiceWithAdmin;
let internetUrl: string;
let extraction: IssuedKey;
let render: IssuedKey;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    internet.listen(0, '127.0.0.1', resolve);
  });
  internetUrl = `http://127.0.0.1:${(internet.address() as AddressInfo).port}`;
  folder = await temporaryFolder();
  // The tests of all documented items exceed the rate limit of the plan.
  const limits = { MEGA: { requestsPerSecond: 1_000 } };
  world = await startServiceWithAdmin(internetUrl, folder.path, limits, { LAB: 'on' });
  extraction = await createTestKey('extraction');
  render = await createTestKey('render');
  // The lab generates media after its start. On a busy machine, the first requests can reach the time limit of an
  // extraction until then.
  await vi.waitFor(async () => expect((await details(extraction.key)).body.error).toBeNull(), 540_000);
});
afterAll(async () => {
  await world.service.kill();
  await folder.delete();
  internet.closeAllConnections();
  internet.close();
});

async function createTestKey(kind: string): Promise<IssuedKey> {
  return (await world.admin<IssuedKey>('POST', '/admin/keys', { plan: 'MEGA', kind, test: true })).body;
}

const details = (key: string, query = '/p1/v3/video/details?videoId=lab-min-002') =>
  extract<MaybeTest<Result>>(world.service.url + query, key);

const start = (key: string, job: unknown, query = '') =>
  post<MaybeTest<StartedJob>>(`${world.service.url}/api/v1/render/execute${query}`, job, key);

const convert = (url = labFile('/media/amber-2/movie-360.mp4').url) =>
  describeJob('no_process', [{ url, ext: 'mp4' }], 'mp4');

/** Sends a request with a render key. */
const asRender = <Body>(key: string, path: string) =>
  fetchJson<Body>(world.service.url + path, { headers: { authorization: `Bearer ${key}` } });

const metricsOf = async (path: string) =>
  await (await fetch(`http://127.0.0.1:${world.settings.ADMIN_PORT}${path}`)).text();

/** Returns the links in a response with relay links and renders. */
async function linksOf(key: string) {
  const { body } = await details(
    key,
    '/p1/v3/video/details?videoId=lab-min-002&urlAccess=proxied&renderableFormats=lowres',
  );
  const content = body.contents?.[0];
  return {
    relayLink: content?.videos?.[0]?.url ?? '',
    executionUrl: content?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '',
  };
}

/** Maximum milliseconds until the lab of a new service has generated its media. Until then, items are slow. */
const GENERATION_MS = 600_000;
const untilGenerated = { timeout: GENERATION_MS - 10_000, interval: 500 };

describe('a test key', () => {
  test('is one by its record, and keeps that when it is replaced', async () => {
    const { id } = await createTestKey('render');
    expect((await world.admin('PATCH', `/admin/keys/${id}`, { test: false })).status).toBe(400);
    const rotated = await world.admin<IssuedKey>('POST', `/admin/keys/${id}/rotate`, {});
    expect([rotated.body.test, rotated.body.key.slice(0, 5)]).toEqual([true, 'mr_r_']);
    const { body } = await world.admin<{ keys: IssuedKey[] }>('GET', '/admin/keys');
    expect(body.keys.find((key) => key.id === id)?.test).toBe(true);
    expect(body.keys.filter((key) => key.test)).toHaveLength(3);
    await world.admin('DELETE', `/admin/keys/${id}`);
  });

  test('gets items of the lab free of charge, marked as tests', async () => {
    const { status, headers, body } = await details(extraction.key);
    expect([status, body.error, body.test]).toEqual([200, null, true]);
    expect(body.notes?.join()).toContain('0 credits');
    expect(headers.get('ratelimit-remaining')).toBe(headers.get('ratelimit-limit'));
    expect(await world.credits(extraction.id)).toBe(0);
    const usage = await fetchJson<{ credits: { used: number } }>(`${world.service.url}/api/v1/usage`, {
      headers: { 'x-marketplace-key': extraction.key, 'x-marketplace-host': 'api.example' },
    });
    expect(usage.body.credits.used).toBe(0);
  });

  test('gets all formats of an item with many', { timeout: GENERATION_MS }, async () => {
    const content = async () => {
      const { body } = await details(extraction.key, '/p1/v3/video/details?videoId=lab-feature');
      return body.contents?.[0];
    };
    // The media is generated after the start of the lab.
    const labels = async () => (await content())?.videos?.map(({ label }) => label);
    await expect.poll(labels, untilGenerated).toEqual(['1080p', '360p HDR', '720p60', '720p', '360p', '360p', '144p']);
    expect((await content())?.audios).toHaveLength(10);
  });

  test('gets the documented outcomes of the items of p1', { timeout: GENERATION_MS }, async () => {
    const ofP1 = items.filter(({ request, code }) => request.startsWith('/p1/') && code !== 'operation_timeout');
    expect(ofP1.length).toBeGreaterThan(40);
    for (const { request, code } of ofP1) {
      const outcomeOf = async () => {
        const { status, body } = await details(extraction.key, request);
        return [status, body.error?.code ?? null, body.test];
      };
      await expect.poll(outcomeOf, { ...untilGenerated, message: request }).toEqual([200, code, true]);
    }
  });

  test('gets failures that are free of charge and marked as tests', async () => {
    const missing = await details(extraction.key, '/p1/v3/video/details?videoId=lab-missing-1');
    expect([missing.body.error?.code, missing.body.test]).toEqual([expect.any(String), true]);
    const invalid = await details(extraction.key, '/p1/v3/video/details');
    expect([invalid.status, invalid.body.test]).toEqual([400, true]);
    expect(await world.credits(extraction.id)).toBe(0);
  });

  test('renders items of the lab: start, status, file, list and webhook are marked as tests', async () => {
    const { relayLink, executionUrl } = await linksOf(extraction.key);
    expect((await bytesOf(relayLink)).length).toBeGreaterThan(1_000);
    const preview = await fetchJson<MaybeTest<{ unfinishedJobs: object }>>(`${executionUrl}&plan=only`);
    // Renders of live extraction keys have no limit besides credits.
    expect([preview.body.test, preview.body.unfinishedJobs]).toEqual([true, { now: 0, left: 200 }]);
    const started = await fetchJson<MaybeTest<StartedJob>>(executionUrl);
    expect([started.status, started.body.test]).toEqual([202, true]);
    const event: MaybeTest<StatusEvent> = await outcome(started.body.sseStatusUrl);
    expect([event.status, event.error, event.test]).toEqual(['done', null, true]);
    expect((await bytesOf(event.output?.url)).length).toBe(event.output?.size);
  });

  test('renders direct jobs whose inputs are in the lab, and calls the real receiver', async () => {
    const job = {
      ...convert(),
      webhook: { url: 'https://receiver.example/hook', secret: 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl' },
    };
    const preview = await start(render.key, job, '?plan=only');
    expect([preview.status, preview.body.test]).toEqual([200, true]);
    const started = await start(render.key, job);
    expect([started.status, started.body.test]).toEqual([202, true]);
    const event: MaybeTest<StatusEvent> = await outcome(started.body.sseStatusUrl);
    expect([event.status, event.test]).toEqual(['done', true]);
    const list = await asRender<{ jobs: MaybeTest<StatusEvent>[] }>(render.key, '/api/v1/render/jobs');
    expect(list.body.jobs).toMatchObject([{ job_id: job.id, test: true }]);
    await expect.poll(() => liveRequests.map(({ host }) => host)).toContain('receiver.example');
    const [call] = liveRequests.filter(({ host }) => host === 'receiver.example');
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ job_id: job.id, status: 'done', test: true });
  });

  test('gets a preview that checks the address of its store as a delivery does, which leaves the lab', async () => {
    const job = (putUrl: string) => ({ ...convert(), output: { ext: 'mp4', putUrl } });
    const problemsOf = async (putUrl: string) => {
      const { body } = await post<{ problems: { code: string }[] }>(
        `${world.service.url}/api/v1/render/execute?plan=only`,
        job(putUrl),
        render.key,
      );
      return body.problems.map(({ code }) => code);
    };
    expect(await problemsOf('https://8.8.8.8/bucket/film.mp4')).toEqual([]);
    expect(await problemsOf('https://10.0.0.1/bucket/film.mp4')).toEqual(['address_refused']);
  });

  test('starts jobs of a batch and stored jobs as tests', async () => {
    const batch = await post<{ results: { body: MaybeTest<StartedJob> }[] }>(
      `${world.service.url}/api/v1/render/batch`,
      { jobs: [convert()] },
      render.key,
    );
    expect(batch.body.results).toMatchObject([{ statusCode: 202, body: { test: true } }]);
    const stored = await post<{ executionUrl: string }>(
      `${world.service.url}/api/v1/render/cache`,
      convert(),
      render.key,
    );
    const started = await fetchJson<MaybeTest<StartedJob>>(stored.body.executionUrl);
    expect([started.status, started.body.test]).toEqual([202, true]);
    const event: MaybeTest<StatusEvent> = await outcome(started.body.sseStatusUrl);
    expect([event.status, event.test]).toEqual(['done', true]);
  });

  test.each(['http://127.0.0.1/_lab/catalogue', 'http://localhost/_lab/catalogue', 'http://8.8.8.8/file.mp4'])(
    'cannot fetch %s',
    async (url) => {
      const started = await start(render.key, convert(url));
      const event = await outcome(started.body.sseStatusUrl);
      expect([event.status, event.error_code]).toEqual(['failed', 'address_refused']);
    },
  );

  test('has separate jobs: a live key cannot attach to one by its ID', async () => {
    const job = convert();
    expect((await start(render.key, job)).status).toBe(202);
    expect((await start(keys.render, job)).status).toBe(403);
  });

  test('reaches nothing in the live internet except the receivers of its webhooks', () => {
    expect(liveRequests.map(({ host }) => host)).toEqual(['receiver.example']);
  });
});

describe('documented causes', () => {
  test.each([
    ['params_not_found', '/p1/v3/video/details'],
    ['invalid_params', '/p1/v3/video/details?videoId=lab-min-002&countryCode=nowhere'],
    ['unsupported_proxy_for_geo_targeting', '/p1/v3/video/details?videoId=lab-min-002&countryCode=fr'],
    ['invalid_platform_url', '/p4/v3/user/details?url=https://www.youtube.com/watch?v=lab-min-002'],
    ['invalid_token', '/p1/v3/video/comments?videoId=lab-plain30&nextToken=changed'],
  ])('of %s', async (code, path) => {
    const { body } = await details(extraction.key, path);
    expect([body.error?.code, body.test]).toEqual([code, true]);
  });

  const convertFormat = { type: 'convert_format' };
  test.each([
    ['incompatible_codecs', { operation: convertFormat, output: { ext: 'webm' } }],
    ['clip_out_of_range', { operation: convertFormat, clip: { start: 60, end: 61 } }],
    [
      'size_unreachable',
      { operation: { ...convertFormat, copyStreams: false }, output: { ext: 'mp4', maxSize: 65_536 } },
      'amber-120',
    ],
  ])('of %s', async (code, changes, title = 'amber-2') => {
    const { url } = labFile(`/media/${title}/movie-360.mp4`);
    const started = await start(render.key, { ...convert(url), ...changes });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const event: MaybeTest<StatusEvent> = await outcome(started.body.sseStatusUrl);
    expect([event.status, event.error_code, event.test]).toEqual(['failed', code, true]);
  });
});

describe('a live key', () => {
  test('gets nothing from the lab, and its responses are not marked', async () => {
    const requests = liveRequests.length;
    const { body } = await details(keys.MEGA);
    expect(body.error).toMatchObject({ code: 'not_found', message: expect.stringContaining('test key') });
    expect(body).not.toHaveProperty('test');
    expect(liveRequests).toHaveLength(requests);
    const other = await details(keys.MEGA, '/p1/v3/video/details?videoId=dQw4w9WgXcQ');
    expect([other.body.error?.code, 'test' in other.body]).toEqual([expect.any(String), false]);
    expect(liveRequests.length).toBeGreaterThan(requests);
    const job = convert();
    const started = await start(keys.render, job);
    expect([started.status, 'test' in started.body]).toEqual([202, false]);
    const event = await outcome(started.body.sseStatusUrl);
    expect([event.status, 'test' in event]).toEqual(['failed', false]);
    expect(liveRequests.map(({ host }) => host)).toContain('cdn.lab.example');
  });

  test('cannot use the page tokens and list positions of a test key, nor the reverse', async () => {
    const path = '/p1/v3/video/comments?videoId=lab-plain30';
    const { body } = await details(extraction.key, path);
    const { nextToken = '' } = (body.metadata.comments ?? {}) as { nextToken?: string };
    const next = (key: string) => details(key, `${path}&nextToken=${encodeURIComponent(nextToken)}`);
    expect((await next(extraction.key)).body).toMatchObject({ error: null, test: true });
    expect((await next(keys.MEGA)).status).toBe(400);

    const cursors = [];
    for (const key of [render.key, keys.render]) {
      for (let count = 0; count < 2; count += 1) await start(key, convert());
      const { body: list } = await asRender<{ nextCursor: string }>(key, '/api/v1/render/jobs?limit=1');
      cursors.push(list.nextCursor);
    }
    const [ofTest, ofLive] = cursors;
    const statusOf = async (key: string, cursor = '') =>
      (await asRender(key, `/api/v1/render/jobs?cursor=${cursor}`)).status;
    expect([await statusOf(render.key, ofTest), await statusOf(keys.render, ofLive)]).toEqual([200, 200]);
    expect([await statusOf(render.key, ofLive), await statusOf(keys.render, ofTest)]).toEqual([400, 400]);
  });
});

test('metrics of test keys are separate, and the health of the platforms counts live requests only', async () => {
  const [live, ofTest] = await Promise.all([metricsOf('/metrics'), metricsOf('/metrics/test')]);
  const successes = /^millrace_extractions_total\{[^}]*platform="p1"[^}]*code="success"[^}]*\} [1-9]/m;
  expect([successes.test(live), successes.test(ofTest)]).toEqual([false, true]);
});

test('without the lab, a test key gets an error that names the setting, and its files remain', async () => {
  const { executionUrl, relayLink } = await linksOf(extraction.key);
  const job = convert();
  const { output } = await outcome((await start(render.key, job)).body.sseStatusUrl);
  const path = new URL(output?.url ?? '').pathname;
  await world.service.stop();
  const service = await startService(internetUrl, folder.path);
  try {
    const moved = (url: string) => service.url + new URL(url).pathname + new URL(url).search;
    const responses = await Promise.all([
      extract<MaybeTest<Result>>(`${service.url}/p1/v3/video/details?videoId=lab-min-002`, extraction.key),
      fetchJson<Result>(moved(executionUrl)),
      post<Result>(`${service.url}/api/v1/render/execute`, convert(), render.key),
    ]);
    for (const { status, body } of responses) {
      expect([status, body.error?.code]).toEqual([503, 'service_unavailable']);
      expect(body.error?.message).toContain('LAB=on');
    }
    expect((await fetch(moved(relayLink))).status).toBe(503);
    expect((await bytesOf(service.url + path)).length).toBe(output?.size);
  } finally {
    await service.kill();
  }
});

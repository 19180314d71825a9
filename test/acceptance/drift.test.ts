/** @module-tag long */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import type { Result } from '../support/envelope.ts';
import { fetchJson } from '../support/http-client.ts';
import { currentStatus } from '../support/platform-status.ts';
import { type RunningProcess, startLab, temporaryFolder } from '../support/processes.ts';

interface Drift {
  readonly since: string;
  readonly responses: number;
  readonly kinds: Readonly<Record<string, number>>;
}

interface Health {
  readonly state: string;
  readonly drift?: Drift;
}

interface Status {
  readonly platforms: readonly (Health & {
    readonly id: string;
    readonly endpoints: readonly (Health & { path: string })[];
  })[];
}

interface UnreadAnswer {
  readonly id: string;
  readonly at: string;
  readonly platform: string;
  readonly endpoint: string;
  readonly kinds: Readonly<Record<string, number>>;
  readonly exchanges: number;
  readonly size: number;
}

interface Exchange {
  readonly source: { readonly tool: string; readonly date: string };
  readonly request: { readonly method: string; readonly url: string; readonly headers: object; readonly body: unknown };
  readonly response: { readonly status: number; readonly headers: object; readonly body: unknown };
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The tests' own lab, whose sites they change. */
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
    { PRO: { requestsPerSecond: 1_000 } },
    { KEEP_UNREAD: '5' },
  );
});
afterAll(async () => {
  await world.service.kill();
  await lab.stop();
  await folder.delete();
});
beforeEach(async () => {
  ({ id, key } = await world.create('PRO'));
});

async function drift(query: string): Promise<void> {
  const response = await fetch(`${lab.url}/_lab/drift?${query}`, { method: 'POST' });
  expect(response.status).toBe(200);
}

/** Sends a request that accepts no cached response, unless told otherwise. */
async function ask(path: string, cacheControl = 'no-cache') {
  const response = await fetchJson<Result>(`${world.service.url}${path}`, {
    headers: { 'x-marketplace-key': key, 'x-marketplace-host': 'api.example', 'cache-control': cacheControl },
  });
  return { ...response.body, left: response.headers.get('ratelimit-remaining') };
}

const strangeSearch = '/p1/v3/search?query=labstrange';
const video = (videoId: string) => ask(`/p5/v3/video/details?videoId=${videoId}`);

async function statusOf(platform: string) {
  const { platforms } = await currentStatus<Status>(world.service.url);
  const status = platforms.find((one) => one.id === platform);
  if (status === undefined) throw new Error(`/status does not list ${platform}`);
  return status;
}

async function unreadMetric(): Promise<readonly string[]> {
  const text = await (await fetch(`http://127.0.0.1:${world.settings.ADMIN_PORT}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('millrace_unread_shapes_total{'));
}

const keptAnswers = async () => (await world.admin<{ unread: UnreadAnswer[] }>('GET', '/admin/unread')).body.unread;

describe('a platform whose responses have entries of unknown kinds', () => {
  test('is drifting from the third such response on, and cached ones do not count', async () => {
    const note = expect.stringMatching(/^Omitted 2 entries of an unknown kind \(labTeleportRenderer\)\.$/);
    expect((await ask(strangeSearch)).notes).toContainEqual(note);
    for (let time = 0; time < 3; time += 1) expect((await ask(strangeSearch, '')).notes).toContainEqual(note);
    expect((await ask(strangeSearch)).notes).toContainEqual(note);
    expect(await statusOf('p1')).toMatchObject({ state: 'ok' });
    expect(await statusOf('p1')).not.toHaveProperty('drift');

    expect((await ask(strangeSearch)).error).toBeNull();
    const { state, drift, endpoints } = await statusOf('p1');
    expect({ state, drift }).toEqual({
      state: 'drifting',
      drift: { since: expect.any(String), responses: 3, kinds: { labTeleportRenderer: 6, lockupViewModel: 3 } },
    });
    const states = new Map(endpoints.map(({ path, ...health }) => [path, health.state]));
    expect([states.get('/p1/v3/search'), states.get('/p1/v3/video/details')]).toEqual(['drifting', 'ok']);
    expect((await statusOf('p2')).state).toBe('ok');
  });

  test('counts in millrace_unread_shapes_total by endpoint and kind', async () => {
    const labels = (kind: string) => `{platform="p1",endpoint="/search",kind="${kind}"}`;
    expect((await unreadMetric()).toSorted()).toEqual([
      `millrace_unread_shapes_total${labels('labTeleportRenderer')} 6`,
      `millrace_unread_shapes_total${labels('lockupViewModel')} 3`,
    ]);
  });
});

describe('a response of which nothing can be read', () => {
  test('costs nothing and leaves the allowance unchanged', async () => {
    const paid = await video('xlab2');
    expect(await world.credits(id)).toBe(1);
    await drift('p5=qualities');
    const { error, notes, left } = await video('xlab3');
    expect(error).toMatchObject({ code: 'invalid_response_data', retryable: true });
    expect(notes).toContain('This request cost 0 credits.');
    expect(left).toBe(paid.left);
    expect(await world.credits(id)).toBe(1);
    await drift('');
    expect((await video('xlab3')).error).toBeNull();
    expect(await world.credits(id)).toBe(2);
  });

  test('counts as drift before the platform fails often', async () => {
    await drift('p5=qualities');
    for (const videoId of ['xlab4', 'xlab5']) {
      expect((await video(videoId)).error?.code).toBe('invalid_response_data');
    }
    await drift('');
    expect(await statusOf('p5')).toMatchObject({ state: 'drifting', drift: { responses: 3 } });
    expect(await statusOf('p5')).not.toHaveProperty('note');
  });
});

describe('GET /admin/unread', () => {
  test('lists the last answers that could not be read, and returns their exchanges as recordings', async () => {
    const unread = await keptAnswers();
    expect(unread.map(({ platform }) => platform)).toEqual(['p5', 'p1']);
    const [newest, oldest] = unread;
    expect(newest).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      platform: 'p5',
      endpoint: '/video/details',
      kinds: expect.any(Object),
      exchanges: expect.any(Number),
      size: expect.any(Number),
    });
    expect(oldest).toMatchObject({ endpoint: '/search', kinds: { labTeleportRenderer: 2, lockupViewModel: 1 } });

    const { body } = await world.admin<{ exchanges: Exchange[] }>('GET', `/admin/unread/${newest?.id}`);
    expect(body.exchanges).toHaveLength(newest?.exchanges ?? 0);
    const metadata = body.exchanges.find(({ request }) => request.url.includes('/player/metadata/video/xlab3'));
    expect(metadata).toMatchObject({
      source: { tool: 'millrace', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      request: { method: 'GET', headers: expect.any(Object), body: null },
      response: {
        status: 200,
        headers: { 'set-cookie': expect.any(Array) },
        body: { qualitiesNext: expect.anything() },
      },
    });
    // The visitor's cookies and the signatures that are bound to them.
    const text = JSON.stringify(body);
    expect(text).toContain('v1st=aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa');
    expect(text).not.toMatch(/dmV1st=(?!aaaaaaaa-)|[?&]sec=(?![a_-]+&)|\bv1st=(?!aaaaaaaa-)/);
  });

  test('includes responses that are not valid at all', async () => {
    expect((await ask('/p1/v3/search?query=lab-is-half')).error?.code).toBe('invalid_response_data');
    await expect.poll(async () => (await keptAnswers())[0]?.platform).toBe('p1');
    expect((await keptAnswers())[0]).toMatchObject({ endpoint: '/search', kinds: { response: 1 } });
  });

  test('requires the token, and is not on the public port', async () => {
    for (const path of ['/admin/unread', '/admin/unread/1']) {
      expect(await world.admin('GET', path, undefined, 'another-token-of-16')).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthorized' } },
      });
      expect((await fetch(`${world.service.url}${path}`)).status).toBe(404);
    }
  });

  test('returns 404 for an answer that is not kept', async () => {
    expect(await world.admin('GET', '/admin/unread/nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });
});

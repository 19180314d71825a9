import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type AdminKey, type MonthUsage, type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
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

const labUrl = inject('labUrl');
/** Credit and job limits that are low enough to be used up. BASIC and MEGA keep their defaults. */
const limits = { PRO: { credits: 20, requestsPerSecond: 1_000 }, ULTRA: { startsPerSecond: 1_000, jobsAtOnce: 2 } };

/** A page of the audit log. */
interface AuditLog {
  readonly entries: readonly { readonly actor: string; readonly action: string }[];
  readonly nextCursor: string | null;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: ServiceWithAdmin;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await startServiceWithAdmin(labUrl, folder.path, limits);
});
afterAll(async () => {
  await world.service.kill();
  await folder.delete();
});

const details = (key: string, query = 'videoId=xlab2') =>
  extract<Result>(`${world.service.url}/p5/v3/video/details?${query}`, key);
const start = (key: string, job: unknown) => post<StartedJob>(`${world.service.url}/api/v1/render/execute`, job, key);
const convert = () =>
  describeJob('convert_format', [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }], 'mp4');

describe('keys', () => {
  test('are created for a plan, work immediately, and are returned only once', async () => {
    const { status, body } = await world.admin<AdminKey & { key: string }>('POST', '/admin/keys', {
      plan: 'MEGA',
      name: 'The first customer',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'extraction',
      plan: 'MEGA',
      name: 'The first customer',
      limits: { credits: 200_000, requestsPerSecond: 20 },
      revokedAt: null,
    });
    expect((await details(body.key)).status).toBe(200);
    const list = await world.admin<{ keys: (AdminKey & { usage: MonthUsage })[] }>('GET', '/admin/keys');
    expect(list.body.keys.find(({ id }) => id === body.id)?.usage).toMatchObject({ credits: 1, requests: 1 });
    const one = await world.admin<AdminKey & { usage: MonthUsage[] }>('GET', `/admin/keys/${body.id}`);
    expect(one.body).toMatchObject({
      name: 'The first customer',
      usage: [{ month: new Date().toISOString().slice(0, 7), credits: 1, requests: 1 }],
    });
    expect(JSON.stringify([list.body, one.body])).not.toContain(body.key);
  });

  test('stop working immediately and permanently when revoked', async () => {
    const { id, key } = await world.create('MEGA');
    expect((await details(key)).status).toBe(200);
    expect((await world.admin('DELETE', `/admin/keys/${id}`)).body).toMatchObject({ revokedAt: expect.any(String) });
    const { status, body } = await details(key);
    expect([status, body.error?.code]).toEqual([403, 'invalid_user_details']);
    expect((await world.admin('POST', `/admin/keys/${id}/rotate`)).status).toBe(404);
  });

  test('stop working immediately or after a grace period when replaced, and keep their account', async () => {
    const { id, key: first } = await world.create('MEGA');
    const rotate = async (body: object) =>
      (await world.admin<{ key: string }>('POST', `/admin/keys/${id}/rotate`, body)).body.key;
    expect((await details(first)).status).toBe(200);
    const second = await rotate({ graceSeconds: 600 });
    const third = await rotate({ graceSeconds: 600 });
    const statuses = async () => [first, second, third].map((key) => details(key).then(({ status }) => status));
    expect(await Promise.all(await statuses())).toEqual([200, 200, 200]);
    expect(await world.credits(id)).toBe(4);
    const fourth = await rotate({});
    expect(await Promise.all(await statuses())).toEqual([401, 401, 401]);
    expect((await details(fourth)).status).toBe(200);
  });

  test('change their plan, expiry and spend warning immediately, and each change is in the audit log', async () => {
    const { id, key } = await world.create('PRO');
    const change = (body: object) => world.admin<AdminKey>('PATCH', `/admin/keys/${id}`, body);
    expect((await details(key)).headers.get('ratelimit-limit')).toBe('20');
    const changed = await change({ plan: 'MEGA', spendWarning: 50, expiresAt: '2100-01-01T00:00:00Z' });
    expect(changed.body).toMatchObject({ plan: 'MEGA', spendWarning: 50, expiresAt: '2100-01-01T00:00:00.000Z' });
    expect((await details(key)).headers.get('ratelimit-limit')).toBe('200000');
    await change({ expiresAt: '2026-01-01T00:00:00Z' });
    const { status, body } = await details(key);
    expect([status, body.error]).toMatchObject([
      403,
      { code: 'invalid_user_details', message: expect.stringMatching(/expired/) },
    ]);
    await change({ expiresAt: null });
    expect((await details(key)).status).toBe(200);
    const audit = await world.admin<AuditLog>('GET', `/admin/audit?target=${id}&limit=3`);
    expect(audit.body.entries).toMatchObject([
      { actor: 'the tests', changes: { expiresAt: { before: '2026-01-01T00:00:00.000Z', after: null } } },
      { action: 'key.update' },
      { changes: { plan: { before: 'PRO', after: 'MEGA' }, spendWarning: { before: null, after: 50 } } },
    ]);
    const rest = await world.admin<AuditLog>('GET', `/admin/audit?target=${id}&cursor=${audit.body.nextCursor}`);
    expect(rest.body).toMatchObject({ entries: [{ action: 'key.create' }], nextCursor: null });
  });

  test('are refused with their links while they are disabled, and their jobs are cancelled', async () => {
    const [extraction, render] = [await world.create('MEGA'), await world.create('ULTRA', 'render')];
    const { body } = await extract<Result>(
      `${world.service.url}/p1/v3/video/details?videoId=lab-plain30&urlAccess=proxied&renderableFormats=lowres`,
      extraction.key,
    );
    const content = body.contents?.[0];
    const executionUrl = content?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
    const relayLink = content?.videos?.[0]?.url ?? '';
    expect(new URL(relayLink).origin).toBe(world.service.url);
    const slow = labFile('/media/amber-2/movie-360.mp4', { latency: 20_000 }).url;
    const job = describeJob('convert_format', [{ url: slow, ext: 'mp4' }], 'mp4');
    expect((await start(render.key, job)).status).toBe(202);
    const statuses = async () => [
      (await details(extraction.key)).status,
      (await fetchJson(executionUrl)).status,
      (await fetch(relayLink, { method: 'HEAD' })).status,
      (await start(render.key, convert())).status,
    ];
    const change = async (body: object) => {
      for (const { id } of [extraction, render])
        expect((await world.admin('PATCH', `/admin/keys/${id}`, body)).status).toBe(200);
    };
    await change({ disabled: true, reason: 'Abuse' });
    expect(await statuses()).toEqual([403, 403, 403, 401]);
    expect((await details(extraction.key)).body.error?.message).toMatch(/disabled this key/);
    const status = await fetchJson<StatusEvent>(`${world.service.url}/api/v1/render/jobs/${job.id}`);
    expect(status.body).toMatchObject({ status: 'failed', error_code: 'cancelled' });
    expect(status.body.error).toMatch(/operator.*the key was disabled/);
    await change({ disabled: false });
    expect(await statuses()).toEqual([200, 202, 200, 202]);
  });

  test.each([
    ['an unknown member', { colour: 'red' }, 'colour'],
    ['an unknown plan', { plan: 'GIGA' }, 'plan'],
    ['an expiry that is not a time', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['a date that does not exist', { expiresAt: '2026-13-41T00:00:00Z' }, 'expiresAt'],
    ['a spend warning of 0', { spendWarning: 0 }, 'spendWarning'],
    ['no reason for disabling', { disabled: true }, 'reason'],
  ])('are not changed with %s', async (_name, body, path) => {
    const { id } = await world.create('PRO');
    const response = await world.admin('PATCH', `/admin/keys/${id}`, body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { code: 'invalid_body', fields: [{ path }] } });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=-1', 'cursor'],
    ['colour=red', 'colour'],
    ['actor=a&actor=b', 'actor'],
  ])('have an audit log that refuses the query %s', async (query, parameter) => {
    const response = await world.admin('GET', `/admin/audit?${query}`);
    expect([response.status, response.body]).toMatchObject([400, { error: { code: 'invalid_params', parameter } }]);
  });

  test('have an audit log that names the actor of a request, if its name is valid', async () => {
    const { settings } = world;
    const send = (actor: string) =>
      fetch(`http://127.0.0.1:${settings.ADMIN_PORT}/admin/keys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${settings.ADMIN_TOKEN}`,
          'content-type': 'application/json',
          'x-millrace-actor': actor,
        },
        body: '{"plan":"PRO"}',
      });
    expect((await send('alice')).status).toBe(201);
    expect((await send('a'.repeat(101))).status).toBe(400);
    const { body } = await world.admin<AuditLog>('GET', '/admin/audit?actor=alice');
    expect(body.entries).toMatchObject([{ action: 'key.create', requestId: expect.any(String) }]);
    const seeded = await world.admin<AuditLog>('GET', '/admin/audit?actor=settings&action=key.create');
    expect(seeded.body.entries.length).toBeGreaterThan(0);
  });

  test.each([
    ['without a plan', {}, 'plan'],
    ['with an unknown plan', { plan: 'GIGA' }, 'plan'],
    ['with an unknown kind', { plan: 'PRO', kind: 'admin' }, 'kind'],
    ['with a name that is not text', { plan: 'PRO', name: 5 }, 'name'],
    ['with a chosen key', { plan: 'PRO', key: 'mine' }, 'key'],
  ])('are not created %s', async (_name, body, path) => {
    const response = await world.admin('POST', '/admin/keys', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { code: 'invalid_body', fields: [{ path }] } });
  });

  test.each(['nothing', '00000000-0000-4000-8000-000000000000'])('return 404 for the ID %s', async (id) => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['PATCH', ''],
    ] as const) {
      const sent = method === 'PATCH' ? { plan: 'PRO' } : undefined;
      const { status, body } = await world.admin(method, `/admin/keys/${id}${path}`, sent);
      expect([status, body]).toMatchObject([404, { error: { code: 'not_found' } }]);
    }
  });

  test.each(['a wrong token', ''])("cannot be managed with the token '%s'", async (adminToken) => {
    for (const path of ['/admin/keys', '/admin/keys/x']) {
      const { status, body } = await world.admin('GET', path, undefined, adminToken);
      expect([status, body]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
    }
  });

  test('cannot be managed on the public port', async () => {
    expect((await fetchJson(`${world.service.url}/admin/keys`)).status).toBe(404);
  });
});

/** Sends requests at once. Returns the responses, and how many of them one request per second may accept. */
async function burst<Response>(request: () => Promise<Response>) {
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: 10 }, request));
  return { responses, limit: 1 + Math.ceil((performance.now() - startedAt) / 1_000) };
}

describe('limits', () => {
  test('return 429 with Retry-After when requests exceed the rate', async () => {
    const { key } = await world.create('BASIC');
    const { responses, limit } = await burst(() => details(key));
    const accepted = responses.filter(({ status }) => status === 200);
    expect([accepted.length > 0, accepted.length <= limit]).toEqual([true, true]);
    const refusal = responses.find(({ status }) => status === 429);
    expect(refusal?.body).toMatchObject({
      error: { code: 'rate_limited', statusCode: 429, retryable: true },
      contents: [],
      metadata: {},
    });
    expect(Object.fromEntries(refusal?.headers ?? [])).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    });
    // The rate limit recovers after a second.
    await vi.waitFor(async () => expect((await details(key)).status).toBe(200), { timeout: 60_000, interval: 500 });
  });

  test('report the remaining quota in headers, and return 429 until the next month when it is used up', async () => {
    const { id, key } = await world.create('PRO');
    const first = await details(key);
    expect(Object.fromEntries(first.headers)).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '19' });
    const reset = Number(first.headers.get('ratelimit-reset'));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(31 * 24 * 3600);
    for (let request = 0; request < 19; request += 1) expect((await details(key)).status).toBe(200);
    const { status, body, headers } = await details(key);
    expect(status).toBe(429);
    expect(body.error).toMatchObject({ code: 'quota_exceeded', statusCode: 429 });
    expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'));
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(await world.credits(id)).toBe(20);
  });

  test('give 200 concurrent requests the last credits and no more', async () => {
    const { id, key } = await world.create('PRO');
    const responses = await Promise.all(Array.from({ length: 200 }, () => details(key)));
    const codes = responses.map(({ status, body }) => `${status} ${body.error?.code ?? 'ok'}`);
    expect(codes.filter((code) => code === '200 ok')).toHaveLength(20);
    expect(codes.filter((code) => code === '429 quota_exceeded')).toHaveLength(180);
    expect(await world.credits(id)).toBe(20);
  });

  test('charge nothing for an invalid request, and the full price for one that the source refuses', async () => {
    const { id, key } = await world.create('PRO');
    expect((await details(key, 'videoId=')).status).toBe(400);
    expect((await details(key, 'videoId=xlab2&renderableFormats=huge')).status).toBe(400);
    expect((await extract(`${world.service.url}/p3/v3/post/details?url=https://example.com`, key)).status).toBe(400);
    expect(await world.credits(id)).toBe(0);
    const { status, body } = await details(key, 'videoId=xlabprivate');
    expect([status, body.error === null, body.notes]).toEqual([200, false, ['This request cost 1 credit.']]);
    expect(await world.credits(id)).toBe(1);
  });

  test('charge for p2 profiles only when they are found', async () => {
    const { id, key } = await world.create('PRO');
    const ask = (username: string) =>
      extract<Result>(`${world.service.url}/p2/v3/user/profile/details?username=${username}`, key);
    const { body } = await ask('lab.gone');
    expect([body.error?.code, body.notes]).toEqual(['not_found', ['This request cost 0 credits.']]);
    expect(await world.credits(id)).toBe(0);
    expect((await ask('thelab')).body.error).toBeNull();
    expect(await world.credits(id)).toBe(5);
    expect((await ask('thelab')).body.notes).toEqual(['This request cost 5 credits.']);
    expect(await world.credits(id)).toBe(10);
  });

  test('charge the higher price only when it applies', async () => {
    const { id, key } = await world.create('PRO');
    const ask = (query: string) =>
      extract<Result>(`${world.service.url}/p1/v3/video/details?videoId=lab-plain30&${query}`, key);
    await ask('renderableFormats=1080p60%20HDR');
    expect(await world.credits(id)).toBe(1);
    await ask('renderableFormats=lowres&urlAccess=proxied');
    expect(await world.credits(id)).toBe(3);
  });

  test('let pages of any origin read the headers', async () => {
    const { headers } = await details(keys.MEGA);
    for (const name of ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) {
      expect(headers.get('access-control-expose-headers')).toContain(name);
    }
  });
});

describe('render keys', () => {
  test('limit the number of jobs started per second', async () => {
    const { key } = await world.create('BASIC', 'render');
    const { responses, limit } = await burst(() => start(key, convert()));
    const accepted = responses.filter(({ status }) => status === 202);
    expect([accepted.length > 0, accepted.length <= limit]).toEqual([true, true]);
    const refusal = responses.find(({ status }) => status === 429);
    expect(refusal?.body).toMatchObject({ error: { code: 'rate_limited' } });
    expect(refusal?.headers.get('retry-after')).toBe('1');
  });

  test('limit the number of unfinished jobs, and still attach to existing ones', async () => {
    const { key } = await world.create('ULTRA', 'render');
    const slow = () =>
      describeJob(
        'convert_format',
        [{ url: labFile('/media/amber-2/movie-360.mp4', { latency: 20_000 }).url, ext: 'mp4' }],
        'mp4',
      );
    const [one, two] = [slow(), slow()];
    expect([(await start(key, one)).status, (await start(key, two)).status]).toEqual([202, 202]);
    const third = await start(key, slow());
    expect([third.status, third.body]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
    expect((await start(key, one)).status).toBe(200);
  });

  test('can start neither jobs nor stored descriptions once revoked', async () => {
    const { id, key } = await world.create('ULTRA', 'render');
    const storedJob = await post<{ executionUrl: string }>(`${world.service.url}/api/v1/render/cache`, convert(), key);
    expect(storedJob.status).toBe(201);
    await world.admin('DELETE', `/admin/keys/${id}`);
    expect((await start(key, convert())).status).toBe(401);
    expect((await fetchJson(storedJob.body.executionUrl)).status).toBe(403);
  });
});

describe('the usage of a key', () => {
  interface UsageReport {
    readonly requests: number;
    readonly credits: { readonly used: number } | null;
    readonly resetsAt: string;
  }
  const usageOf = (headers: Record<string, string>) =>
    fetchJson<UsageReport>(`${world.service.url}/api/v1/usage`, { headers });

  test('states the credits and limits of an extraction key, and costs nothing', async () => {
    const { id, key } = await world.create('PRO');
    await details(key);
    const headers = { 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' };
    const first = await usageOf(headers);
    expect(first.body).toMatchObject({
      keyKind: 'extraction',
      plan: 'PRO',
      requests: 1,
      credits: { used: 1, limit: 20, remaining: 19 },
      rates: { requestsPerSecond: 1_000, startsPerSecond: null, jobsAtOnce: null },
      unfinishedJobs: 0,
    });
    expect(Date.parse(first.body.resetsAt)).toBeGreaterThan(Date.now());
    expect((await usageOf(headers)).body).toEqual(first.body);
    expect(await world.credits(id)).toBe(1);
  });

  test('states the limits and unfinished jobs of a render key', async () => {
    const { key } = await world.create('ULTRA', 'render');
    const url = labFile('/media/amber-2/movie-360.mp4', { latency: 20_000 }).url;
    await start(key, describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4'));
    const { body } = await usageOf({ authorization: `Bearer ${key}` });
    expect(body).toMatchObject({
      keyKind: 'render',
      requests: 1,
      credits: null,
      rates: { requestsPerSecond: null, startsPerSecond: 1_000, jobsAtOnce: 2 },
      unfinishedJobs: 1,
    });
  });

  test("is not returned to the page's requests", async () => {
    expect((await usageOf({ 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  });
});

describe('the jobs of a key', () => {
  interface JobList {
    readonly jobs: readonly { readonly job_id: string; readonly status: string }[];
    readonly nextCursor: string | null;
  }
  const list = (headers: Record<string, string>, query = '') =>
    fetchJson<JobList & { error: { code: string } }>(`${world.service.url}/api/v1/render/jobs${query}`, { headers });
  const extractionHeaders = (key: string) => ({ 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' });

  test('are listed newest first for the render key that started them, and for no other key', async () => {
    const [mine, other] = [await world.create('MEGA', 'render'), await world.create('MEGA', 'render')];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await start(mine.key, convert())).body.jobId);
    const headers = { authorization: `Bearer ${mine.key}` };
    const first = await list(headers, '?limit=2');
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.body.jobs.map(({ job_id }) => job_id)).toEqual(ids.slice(0, 2));
    const second = await list(headers, `?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ jobs: [{ job_id: ids[2] }], nextCursor: null });
    const all = await list(headers);
    expect(JSON.stringify(all.body)).not.toMatch(/"inputs"|requestOptions|executionUrl|movie-360/);
    expect((await list({ authorization: `Bearer ${other.key}` })).body).toEqual({ jobs: [], nextCursor: null });
  });

  test('are listed for the extraction key whose execution URLs started them, filtered by state', async () => {
    const { key } = await world.create('MEGA');
    const { body } = await extract<Result>(
      `${world.service.url}/p1/v3/video/details?videoId=lab-plain30&renderableFormats=lowres`,
      key,
    );
    const { executionUrl = '', sseStatusUrl = '' } = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig ?? {};
    const { jobId } = (await fetchJson<StartedJob>(executionUrl)).body;
    const last = await outcome(sseStatusUrl);
    expect((await list(extractionHeaders(key), '?state=done,failed')).body.jobs).toEqual([last]);
    expect(last.job_id).toBe(jobId);
    expect((await list(extractionHeaders(key), '?state=queued')).body.jobs).toEqual([]);
  });

  test("are not listed for the page's requests, without a key, or with an invalid parameter", async () => {
    const page = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
    for (const headers of [{}, page]) {
      const { status, body } = await list(headers);
      expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    }
    for (const query of ['?cursor=forged', '?state=gone', '?limit=0']) {
      const { status, body } = await list(extractionHeaders(keys.MEGA), query);
      expect([status, body.error.code]).toEqual([400, 'invalid_params']);
    }
  });
});

describe('an administrator', { tags: ['long'] }, () => {
  const ready = async () =>
    (await fetchJson<Result>(`${world.service.url}/health/ready`)).body.error?.reason ?? 'ready';
  const auditOf = async (target: string) =>
    (
      await world.admin<{ entries: { action: string; reason: string | null }[] }>(
        'GET',
        `/admin/audit?target=${target}`,
      )
    ).body.entries;

  test('drains a node, lists and cancels its waiting job, and resumes it', async () => {
    const { key } = await world.create('MEGA', 'render');
    const [node] = (await world.admin<{ nodes: { id: string; state: string }[] }>('GET', '/admin/nodes')).body.nodes;
    expect(node).toMatchObject({ state: 'active', roles: ['api', 'render', 'worker'], jobs: expect.any(Number) });
    expect((await world.admin('POST', `/admin/nodes/${node?.id}/drain`, {})).status).toBe(400);
    const drained = await world.admin('POST', `/admin/nodes/${node?.id}/drain`, { reason: 'Upgrade' });
    expect(drained.body).toMatchObject({ state: 'draining', drainReason: 'Upgrade' });
    await expect.poll(ready).toBe('draining');
    const [{ body: waiting }, { body: cancelled }] = [await start(key, convert()), await start(key, convert())];
    expect((await fetch(`${world.service.url}/health/live`)).status).toBe(200);
    const list = await world.admin<{ jobs: { id: string }[]; nextCursor: string }>('GET', '/admin/jobs?limit=1');
    expect(list.body.jobs).toMatchObject([
      { id: cancelled.jobId, state: expect.stringMatching(/^(?:pending|queued)$/), node: null, fileSize: null },
    ]);
    const next = await world.admin('GET', `/admin/jobs?limit=1&cursor=${list.body.nextCursor}`);
    expect(next.body).toMatchObject({ jobs: [{ id: waiting.jobId }] });
    expect((await world.admin('GET', '/admin/jobs?requestId=none&state=queued')).body).toEqual({
      jobs: [],
      nextCursor: null,
    });
    const reason = 'It was started by mistake';
    const { body } = await world.admin('POST', `/admin/jobs/${cancelled.jobId}/cancel`, { reason });
    expect(body).toMatchObject({ status: 'cancelled', job: { state: 'failed', errorCode: 'cancelled' } });
    expect(await outcome(cancelled.sseStatusUrl)).toMatchObject({
      error: `Cancelled by the operator of the service: ${reason}`,
    });
    expect((await world.admin('POST', '/admin/jobs/unknown/cancel', { reason })).status).toBe(404);
    expect((await world.admin('POST', `/admin/nodes/${node?.id}/resume`)).body).toMatchObject({ state: 'active' });
    await expect.poll(ready).toBe('ready');
    expect(await outcome(waiting.sseStatusUrl)).toMatchObject({ status: 'done' });
    expect((await world.admin('GET', `/admin/jobs/${waiting.jobId}`)).body).toMatchObject({
      ...{ state: 'done', fileSize: expect.any(Number) },
      owner: expect.stringMatching(/^render:/),
    });
    expect((await auditOf(node?.id ?? '')).map(({ action }) => action)).toEqual(['node.resume', 'node.drain']);
    expect(await auditOf(cancelled.jobId)).toMatchObject([{ action: 'job.cancel', reason }]);
  });

  test.each<[string, string, object | undefined, number, string]>([
    ['GET', '/admin/jobs/%00', undefined, 404, 'not_found'],
    ['POST', '/admin/jobs/%00/cancel', { reason: 'Abuse' }, 404, 'not_found'],
    ['GET', '/admin/jobs?owner=%00', undefined, 400, 'invalid_params'],
    ['GET', '/admin/jobs?ownr=render:x', undefined, 400, 'invalid_params'],
    ['GET', '/admin/audit?target=%00', undefined, 400, 'invalid_params'],
    ['POST', '/admin/keys', { plan: 'PRO', name: '\0' }, 400, 'invalid_body'],
    ['PATCH', '/admin/keys/x', { disabled: true, reason: 'two\nlines' }, 400, 'invalid_body'],
  ])('gets a refusal for %s %s with %o', async (method, path, body, status, code) => {
    expect(await world.admin(method, path, body)).toMatchObject({ status, body: { error: { code } } });
  });

  test('blocks items, channels and hosts', async () => {
    const { id, key } = await world.create('MEGA');
    const query = 'videoId=xlab2&renderableFormats=lowres';
    const { body: result } = await details(key, query);
    const url = result.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
    const started = (await fetchJson<StartedJob>(url)).body;
    const file = (await outcome(started.sseStatusUrl)).output?.url ?? '';
    expect((await fetch(file, { method: 'HEAD' })).status).toBe(200);
    const { id: author } = result.metadata.author as { id: string };
    const spent = await world.credits(id);
    const statuses = async () => [
      (await details(key, query)).status,
      (await fetchJson(url)).status,
      (await fetch(file)).status,
    ];
    for (const target of [
      { kind: 'item', value: 'xlab2' },
      { kind: 'channel', value: author },
    ]) {
      const block = await world.admin<{ id: string }>('POST', '/admin/blocks', {
        ...{ ...target, platform: 'p5', reason: 'Court order 7' },
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      });
      expect(block).toMatchObject({ status: 201, body: { createdBy: 'the tests', reason: 'Court order 7' } });
      expect(await statuses()).toEqual([451, 451, 451]);
      expect((await details(key, query)).body.error).toMatchObject({ code: 'blocked', reason: 'Court order 7' });
      expect((await world.admin('DELETE', `/admin/blocks/${block.body.id}`)).status).toBe(200);
      expect((await auditOf(block.body.id)).map(({ action }) => action)).toEqual(['block.remove', 'block.add']);
    }
    expect(await world.credits(id)).toBe(spent);
    expect(await statuses()).toEqual([200, 200, 200]);

    const render = (await world.create('MEGA', 'render')).key;
    const [{ url: input = '' } = {}] = convert().inputs;
    const host = { kind: 'host', value: new URL(input).hostname, reason: 'Malware' };
    const { url: missing } = labFile('/media/amber-2/movie-360.mp4', { status: 404 });
    const failed = (await start(render, describeJob('convert_format', [{ url: missing, ext: 'mp4' }], 'mp4'))).body;
    expect((await outcome(failed.sseStatusUrl)).status).toBe('failed');
    const { body: block } = await world.admin<{ id: string }>('POST', '/admin/blocks', host);
    expect(await start(render, convert())).toMatchObject({ status: 451, body: { error: { code: 'blocked' } } });
    const retried = await fetchJson(`${world.service.url}/api/v1/render/jobs/${failed.jobId}/retry`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${render}` } },
    });
    expect(retried).toMatchObject({ status: 451, body: { error: { code: 'blocked' } } });
    expect((await world.admin<{ blocks: unknown[] }>('GET', '/admin/blocks')).body.blocks).toHaveLength(1);
    await world.admin('DELETE', `/admin/blocks/${block.id}`);
    expect((await start(render, convert())).status).toBe(202);
    for (const wrong of [
      { kind: 'item', value: 'x' },
      { ...host, value: 'https://a.example' },
      { ...host, reason: '' },
    ]) {
      expect((await world.admin('POST', '/admin/blocks', { reason: 'x', ...wrong })).status).toBe(400);
    }
    expect((await world.admin('DELETE', '/admin/blocks/unknown')).status).toBe(404);
  });
});

const cli = promisify(execFile);

describe('millrace keys', { tags: ['long'] }, () => {
  /** Runs the command, and returns its output and exit code. */
  async function millrace(args: readonly string[], settings: Record<string, string> = world.settings) {
    const env = { PATH: process.env.PATH ?? '', ...settings };
    try {
      const { stdout, stderr } = await cli(process.execPath, ['dist/bin/millrace.js', ...args], { env });
      return { code: 0, stdout, stderr };
    } catch (error) {
      // Thrown by execFile when a command exits with a code other than 0.
      return error as { code: number; stdout: string; stderr: string };
    }
  }
  const json = async <Body>(...args: string[]) => JSON.parse((await millrace([...args, '--json'])).stdout) as Body;

  test('creates, lists, changes, rotates and revokes', async () => {
    const createdKey = await json<AdminKey & { key: string }>('keys', 'create', '--plan', 'mega', '--name', 'By hand');
    expect((await details(createdKey.key)).status).toBe(200);
    const newKey = await json<{ key: string }>('keys', 'rotate', createdKey.id, '--grace', '60');
    expect((await details(createdKey.key)).status).toBe(200);
    expect((await details(newKey.key)).status).toBe(200);
    const list = await millrace(['keys', 'list']);
    expect(list.stdout).toMatch(new RegExp(`${createdKey.id} +extraction +MEGA +3 +3 .* active +By hand`));
    expect(list.stdout).not.toContain(createdKey.key);
    const { id } = createdKey;
    const update = ['--plan', 'pro', '--expires', '2100-01-01', '--spend-warning', '7', '--reason', 'A test'];
    expect((await millrace(['keys', 'update', id, ...update])).stdout).toBe(`Changed the key ${id}.\n`);
    expect((await millrace(['keys', 'list'])).stdout).toMatch(new RegExp(`${id} +extraction +PRO .* until 2100-01-01`));
    expect((await millrace(['keys', 'disable', id, '--reason', 'Abuse'])).stdout).toBe(`Disabled the key ${id}.\n`);
    expect((await details(newKey.key)).status).toBe(403);
    expect((await millrace(['keys', 'enable', id])).stdout).toBe(`Enabled the key ${id}.\n`);
    expect((await details(newKey.key)).status).toBe(200);
    const audit = (await millrace(['admin', 'audit', '--target', id])).stdout;
    expect(audit).toMatch(/key\.enable .* disabled: true → false/);
    expect(audit).toMatch(/key\.disable .* disabled: false → true +Abuse/);
    expect(audit).toMatch(/key\.update .* plan: MEGA → PRO, expiresAt: none → 2100.*spendWarning: none → 7 +A test/);
    const verified = await millrace(['admin', 'audit', 'verify']);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/^Intact: \d+ entries, .* 0 are not chained\.\nChained since: 2.*Z\nHead: [0-9a-f]{64}\n$/),
    ]);
    const anchored = await millrace(['admin', 'audit', 'verify', '--anchor', verified.stdout.slice(-65, -1)]);
    expect(anchored.code).toBe(0);
    const missing = await millrace(['admin', 'audit', 'verify', '--anchor', '0'.repeat(64)]);
    expect([missing.code, missing.stdout]).toEqual([
      8,
      expect.stringContaining('The entry of --anchor does not exist.'),
    ]);
    expect((await millrace(['admin', 'audit', '--limit', '1'])).stdout).toMatch(/with --cursor \d+\n/);
    expect((await millrace(['keys', 'revoke', createdKey.id])).stdout).toBe(`Revoked the key ${createdKey.id}.\n`);
    expect((await details(newKey.key)).status).toBe(403);
    expect((await details(createdKey.key)).status).toBe(403);
    const render = await millrace(['keys', 'create', '--plan', 'PRO', '--kind', 'render']);
    const [key = ''] = render.stdout.split('\n');
    expect((await start(key, convert())).status).toBe(202);
  });

  test('creates and lists test keys, which need the lab', async () => {
    const created = await millrace(['keys', 'create', '--plan', 'PRO', '--test']);
    expect(created.stdout).toMatch(/It is the extraction test key [\da-f-]+ with the plan PRO\./);
    const [key = ''] = created.stdout.split('\n');
    const [, id = ''] = /key ([\da-f-]{36})/.exec(created.stdout) ?? [];
    expect((await millrace(['keys', 'list'])).stdout).toMatch(new RegExp(`${id} +extraction \\(test\\) +PRO`));
    const { status, body } = await details(key);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      503,
      'service_unavailable',
      expect.stringContaining('LAB=on'),
    ]);
  });

  test('millrace admin drains nodes, lists and cancels jobs, and blocks content', async () => {
    const { nodes } = await json<{ nodes: { id: string }[] }>('admin', 'nodes', 'list');
    const id = nodes[0]?.id ?? '';
    expect((await millrace(['admin', 'nodes', 'drain', id, '--reason', 'Upgrade'])).stdout).toContain(`${id} drains`);
    expect((await millrace(['admin', 'nodes', 'list'])).stdout).toMatch(
      new RegExp(`${id} +draining .* api,render,worker .* Upgrade\n`),
    );
    const { jobId } = (await start((await world.create('MEGA', 'render')).key, convert())).body;
    expect((await millrace(['admin', 'jobs', 'list'])).stdout).toContain(jobId);
    expect((await millrace(['admin', 'jobs', 'cancel', jobId, '--reason', 'Abuse'])).stdout).toBe(
      `Cancelled the job ${jobId}.\n`,
    );
    expect((await millrace(['admin', 'jobs', 'show', jobId])).stdout).toMatch(/errorCode +cancelled\n/);
    expect((await millrace(['admin', 'nodes', 'resume', id])).stdout).toContain(`${id} takes new work`);
    const target = ['item', 'x1', '--platform', 'p5', '--reason', 'Court order 7', '--expires', '2100-01-01'];
    const block = await json<{ id: string }>('admin', 'blocks', 'add', ...target);
    expect((await millrace(['admin', 'blocks', 'list'])).stdout).toMatch(
      / item +p5 +x1 .* 2100-01-01 00:00:00 +Court order 7\n/,
    );
    expect((await millrace(['admin', 'blocks', 'remove', block.id])).stdout).toBe('Unblocked the item x1 of p5.\n');
  });

  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    ['no command', ['keys'], {}, 2, /Usage/],
    ['an unknown command', ['doors'], {}, 2, /Unknown command: doors/],
    ['an unknown option', ['keys', 'list', '--all'], {}, 2, /--all/],
    ['no plan', ['keys', 'create'], {}, 2, /--plan/],
    ['no ID', ['keys', 'revoke'], {}, 2, /id/],
    ['no change', ['keys', 'update', 'x'], {}, 2, /--plan/],
    ['no reason', ['keys', 'disable', 'x'], {}, 2, /--reason/],
    ['a missing plan', ['keys', 'create', '--plan', 'GIGA'], {}, 1, /plan must be one of BASIC/],
    ['an unknown ID', ['keys', 'revoke', 'x'], {}, 1, /No active key/],
    ['no token', ['keys', 'list'], { ADMIN_TOKEN: '' }, 1, /Set ADMIN_PORT and ADMIN_TOKEN/],
    ['a wrong token', ['keys', 'list'], { ADMIN_TOKEN: 'another-token-of-16' }, 1, /ADMIN_TOKEN/],
    ['no reason', ['admin', 'nodes', 'drain', 'x'], {}, 2, /--reason/],
    ['no platform', ['admin', 'blocks', 'add', 'item', 'x'], {}, 2, /--platform/],
    ['an unknown action', ['admin', 'nodes', 'stop'], {}, 2, /Unknown command: admin nodes stop/],
    ['no service', ['keys', 'list'], { ADMIN_PORT: '9' }, 1, /did not return a valid response/],
  ])('explains the error when given %s', async (_name, args, settings, code, message) => {
    const result = await millrace(args, { ...world.settings, ...settings });
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/\n +at /);
  });
});

test('keys and tokens never reach the log', async () => {
  const { key } = await world.create('MEGA');
  const render = await world.create('MEGA', 'render');
  const unknown = 'an-unknown-key-of-this-test';
  for (const credential of [key, unknown]) {
    await details(credential);
    await details(credential, 'videoId=xlabmeta503');
    await details(credential, 'videoId=');
  }
  for (const credential of [render.key, unknown]) {
    await start(credential, convert());
    await start(credential, {});
  }
  await world.admin('POST', '/admin/keys', { plan: 'GIGA' });
  await world.admin('GET', '/admin/keys', undefined, unknown);
  // The log is read asynchronously.
  await expect.poll(world.service.output).toContain('extraction failed');
  for (const secret of [key, render.key, unknown, keys.MEGA, world.settings.ADMIN_TOKEN]) {
    expect(world.service.output()).not.toContain(secret);
  }
});

test('a crash between reserving and settling credits charges nobody', { tags: ['long'] }, async () => {
  const { id, key } = await world.create('PRO');
  const ask = (path: string) => extract<Result>(world.service.url + path, key);
  for (let count = 1; count <= 3; count += 1)
    expect((await ask('/p5/v3/video/details?videoId=xlab2')).status).toBe(200);
  // The lab never responds to these requests.
  const stuck = Array.from({ length: 5 }, (_, at) => ask(`/p1/v3/search?query=lab-is-slow-${at}`).catch(() => 'cut'));
  await vi.waitFor(async () => expect(await world.credits(id)).toBe(8), { timeout: 60_000, interval: 50 });
  await world.service.kill();
  expect(await Promise.all(stuck)).toEqual(['cut', 'cut', 'cut', 'cut', 'cut']);

  world = await startServiceWithAdmin(labUrl, folder.path, limits);
  // The reserved credits are returned immediately if no other node can hold them, and otherwise once they are overdue.
  await expect.poll(() => world.credits(id), { timeout: 180_000, interval: 250 }).toBe(3);
  const responses = await Promise.all(Array.from({ length: 30 }, () => ask('/p5/v3/video/details?videoId=xlab2')));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(17);
  expect(await world.credits(id)).toBe(20);
});

describe('a marketplace gateway', () => {
  const secret = 'a secret of the gateway';
  let own: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: Awaited<ReturnType<typeof startService>>;
  const right = {
    'x-marketplace-proxy-secret': secret,
    'x-marketplace-user': 'alice',
    'x-marketplace-subscription': 'BASIC',
  };

  beforeAll(async () => {
    own = await temporaryFolder();
    service = await startService(labUrl, own.path, { MARKETPLACE_PROXY_SECRET: secret, PLAN_LIMITS: '' });
  });
  afterAll(async () => {
    await service.kill();
    await own.delete();
  });
  const ask5 = (headers: Record<string, string>) =>
    fetchJson<Result>(`${service.url}/p5/v3/video/details?videoId=xlab2`, { headers });

  test('names the caller and the plan in headers of any letter case', async () => {
    const quota = async (caller: Record<string, string>) => {
      const { status, headers } = await ask5({ ...right, ...caller });
      return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')];
    };
    expect(await quota({})).toEqual([200, '500', '499']);
    expect(await quota({ 'x-marketplace-user': 'bob', 'x-marketplace-subscription': 'pro' })).toEqual([
      200,
      '10000',
      '9999',
    ]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a wrong secret', { ...right, 'x-marketplace-proxy-secret': 'a secret of the gatewaz' }, 403],
    ['an unknown plan', { ...right, 'x-marketplace-subscription': 'FREE' }, 403],
    ['no plan', { ...right, 'x-marketplace-subscription': '' }, 403],
    ['no caller', { ...right, 'x-marketplace-user': '' }, 401],
    ['an overlong caller name', { ...right, 'x-marketplace-user': 'a'.repeat(200) }, 403],
    ['no secret', { 'x-marketplace-user': 'alice', 'x-marketplace-subscription': 'MEGA' }, 401],
    ['a key instead of the secret', { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'a' }, 401],
  ])('is refused with %s', async (_name, headers, expected) => {
    const { status, body } = await ask5(headers);
    expect([status, body.error?.code]).toEqual([expected, 'invalid_user_details']);
    expect(service.output()).not.toContain(secret);
  });
});

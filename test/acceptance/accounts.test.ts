import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type AdminKey, type MonthUsage, type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys, startService, temporaryFolder } from '../support/processes.ts';

const labUrl = inject('labUrl');
/** Credit and job limits that are low enough to be used up. BASIC and MEGA keep their defaults. */
const limits = { PRO: { credits: 20, requestsPerSecond: 1_000 }, ULTRA: { startsPerSecond: 1_000, jobsAtOnce: 2 } };

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
    ] as const) {
      const { status, body } = await world.admin(method, `/admin/keys/${id}${path}`);
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

describe('limits', () => {
  test('return 429 with Retry-After when requests exceed the rate', async () => {
    const { key } = await world.create('BASIC');
    const responses = await Promise.all([details(key), details(key), details(key)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
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
    await vi.waitFor(async () => expect((await details(key)).status).toBe(200), { timeout: 10_000, interval: 500 });
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
    const responses = await Promise.all([start(key, convert()), start(key, convert())]);
    const refusal = responses.find(({ status }) => status === 429);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 429]);
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

const cli = promisify(execFile);

describe('millrace keys', () => {
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

  test('creates, lists, rotates and revokes', async () => {
    const createdKey = await json<AdminKey & { key: string }>('keys', 'create', '--plan', 'mega', '--name', 'By hand');
    expect((await details(createdKey.key)).status).toBe(200);
    const newKey = await json<{ key: string }>('keys', 'rotate', createdKey.id, '--grace', '60');
    expect((await details(createdKey.key)).status).toBe(200);
    expect((await details(newKey.key)).status).toBe(200);
    const list = await millrace(['keys', 'list']);
    expect(list.stdout).toMatch(new RegExp(`${createdKey.id} +extraction +MEGA +3 +3 .* active +By hand`));
    expect(list.stdout).not.toContain(createdKey.key);
    expect((await millrace(['keys', 'revoke', createdKey.id])).stdout).toBe(`Revoked the key ${createdKey.id}.\n`);
    expect((await details(newKey.key)).status).toBe(403);
    expect((await details(createdKey.key)).status).toBe(403);
    const render = await millrace(['keys', 'create', '--plan', 'PRO', '--kind', 'render']);
    const [key = ''] = render.stdout.split('\n');
    expect((await start(key, convert())).status).toBe(202);
  });

  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    ['no command', ['keys'], {}, 2, /Usage/],
    ['an unknown command', ['doors'], {}, 2, /Unknown command: doors/],
    ['an unknown option', ['keys', 'list', '--all'], {}, 2, /--all/],
    ['no plan', ['keys', 'create'], {}, 2, /--plan/],
    ['no ID', ['keys', 'revoke'], {}, 2, /id/],
    ['a missing plan', ['keys', 'create', '--plan', 'GIGA'], {}, 1, /plan must be one of BASIC/],
    ['an unknown ID', ['keys', 'revoke', 'x'], {}, 1, /No active key/],
    ['no token', ['keys', 'list'], { ADMIN_TOKEN: '' }, 1, /Set ADMIN_PORT and ADMIN_TOKEN/],
    ['a wrong token', ['keys', 'list'], { ADMIN_TOKEN: 'another-token-of-16' }, 1, /ADMIN_TOKEN/],
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

test('a crash between reserving and settling credits charges nobody', { timeout: 240_000 }, async () => {
  const { id, key } = await world.create('PRO');
  const ask = (path: string) => extract<Result>(world.service.url + path, key);
  for (let count = 1; count <= 3; count += 1)
    expect((await ask('/p5/v3/video/details?videoId=xlab2')).status).toBe(200);
  // The lab never responds to these requests.
  const stuck = Array.from({ length: 5 }, (_, at) => ask(`/p1/v3/search?query=lab-is-slow-${at}`).catch(() => 'cut'));
  await vi.waitFor(async () => expect(await world.credits(id)).toBe(8), { timeout: 20_000, interval: 50 });
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
    const [one, two] = await Promise.all([ask5(right), ask5(right)]);
    expect([one.status, two.status].toSorted()).toEqual([200, 429]);
    const { status, headers } = await ask5({
      ...right,
      'x-marketplace-user': 'bob',
      'x-marketplace-subscription': 'pro',
    });
    expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
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

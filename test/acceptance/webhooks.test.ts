import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, outcome, post, run, type StartedJob } from '../support/http-client.ts';
import { type LabRequest, labFile, requestsWithToken } from '../support/lab-client.ts';
import { keys, startService, temporaryFolder } from '../support/processes.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');
const secret = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl';

interface Try {
  readonly at: string;
  readonly milliseconds: number;
  readonly status: number | null;
  readonly error: string | null;
}

interface Delivery {
  readonly id: string;
  readonly webhookId: string | null;
  readonly state: string;
  readonly nextTryAt: string | null;
  readonly tries: readonly Try[];
}

interface ErrorAnswer {
  readonly error: { readonly code: string; readonly fields?: readonly { readonly path: string }[] };
}

/** Returns a webhook receiver: a link of the lab that accepts any request, with faults. */
const receiver = (faults: Record<string, string | number> = {}) => labFile('/media/amber-2/still-720.jpg', faults);

/** Returns a job that is quickly done and notifies a receiver. */
function jobFor(webhook: { readonly url: string; readonly secret?: string }) {
  const clip = { url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' };
  return describeJob('no_process', [clip], 'mp4', { webhook: { secret, ...webhook } });
}

async function deliveriesOf(jobId: string, key: string | undefined = keys.render, of = service) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return await fetchJson<{ deliveries: Delivery[] }>(`${of}/api/v1/render/jobs/${jobId}/deliveries`, { headers });
}

async function deliveryOf(jobId: string): Promise<Delivery> {
  const { body } = await deliveriesOf(jobId);
  const [delivery] = body.deliveries;
  if (delivery === undefined) throw new Error(`${jobId} has no webhook`);
  return delivery;
}

/** Waits until a delivery has the expected state. */
async function untilDelivery(jobId: string, expected: object): Promise<Delivery> {
  await expect.poll(() => deliveryOf(jobId), { interval: 200 }).toMatchObject(expected);
  return deliveryOf(jobId);
}

/** Waits until a delivery has been tried. */
async function untilTried(jobId: string): Promise<Delivery> {
  await expect.poll(async () => (await deliveryOf(jobId)).tries.length).toBeGreaterThan(0);
  return deliveryOf(jobId);
}

/** Computes the signature of a request as a receiver that knows the secret does. */
function signatureOf({ headers, body }: LabRequest, key = Buffer.from(secret.slice('whsec_'.length), 'base64')) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('the end of a job', () => {
  test('is posted, signed, with the same content as in the status streams', async () => {
    const { url, token } = receiver();
    const job = jobFor({ url });
    const last = await run(service, job);
    const delivery = await untilDelivery(job.id, { state: 'delivered', nextTryAt: null, tries: [{ status: 200 }] });
    const [request, ...others] = await requestsWithToken(lab, token);
    if (request === undefined) throw new Error('nothing came');
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(request.body)).toEqual(last);
    expect(request.headers['webhook-id']).toBe(delivery.id);
    expect(request.headers['webhook-signature']).toBe(signatureOf(request));
    expect(Math.abs(Number(request.headers['webhook-timestamp']) - request.at / 1_000)).toBeLessThan(60);
    expect((await fetch(JSON.parse(request.body).output.url)).status).toBe(200);
  });

  test('is posted after a failure, with any text as the secret', async () => {
    const { url, token } = receiver();
    const missingInput = { url: labFile('/media/amber-2/movie-360.mp4', { status: 404 }).url, ext: 'mp4' };
    const job = describeJob('no_process', [missingInput], 'mp4', { webhook: { url, secret: 'any text will do' } });
    const last = await run(service, job);
    await untilDelivery(job.id, { state: 'delivered' });
    const [request] = await requestsWithToken(lab, token);
    expect(JSON.parse(request?.body ?? '')).toEqual(last);
    expect(last.status).toBe('failed');
    const expected = request && signatureOf(request, Buffer.from('any text will do'));
    expect(request?.headers['webhook-signature']).toBe(expected);
  });

  test('is posted for stored jobs', async () => {
    const { url, token } = receiver();
    const job = jobFor({ url });
    const stored = await post<{ executionUrl: string }>(`${service}/api/v1/render/cache`, job);
    const { body } = await fetchJson<StartedJob>(stored.body.executionUrl);
    await outcome(body.sseStatusUrl);
    await untilDelivery(job.id, { state: 'delivered' });
    expect(await requestsWithToken(lab, token)).toHaveLength(1);
  });
});

describe('a receiver', { tags: ['long'] }, () => {
  test('that fails is retried later, with the same ID', async () => {
    const { url, token } = receiver({ status: 500, times: 1 });
    const job = jobFor({ url });
    await run(service, job);
    const { tries } = await untilDelivery(job.id, { state: 'delivered' });
    expect(tries.map(({ status }) => status)).toEqual([500, 200]);
    const [first, second, ...others] = await requestsWithToken(lab, token);
    expect(others).toEqual([]);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4_800);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-signature']).toBe(second && signatureOf(second));
  });

  test.each([429, 503])('that returns %i is not retried before its Retry-After', async (status) => {
    const job = jobFor({ url: receiver({ status, retryAfter: 600 }).url });
    await run(service, job);
    const { nextTryAt, tries } = await untilTried(job.id);
    const pause = Date.parse(nextTryAt ?? '') - Date.parse(tries[0]?.at ?? '');
    expect(pause).toBeGreaterThanOrEqual(600_000);
    expect(pause).toBeLessThan(600_000 * 1.15 + 30_000);
  });

  test('that redirects is not followed', async () => {
    const { url, token } = receiver({ redirect: 1 });
    const job = jobFor({ url });
    await run(service, job);
    const { state, nextTryAt, tries } = await untilTried(job.id);
    expect([state, tries[0]]).toMatchObject(['pending', { status: 302, error: expect.stringContaining('redirect') }]);
    expect(Date.parse(nextTryAt ?? '')).toBeGreaterThan(Date.parse(tries[0]?.at ?? ''));
    for (const { path } of await requestsWithToken(lab, token))
      expect(path).toBe(url.replace('https://cdn.lab.example', ''));
  });

  test('that returns 410 is not retried', async () => {
    const { url, token } = receiver({ status: 410 });
    const job = jobFor({ url });
    await run(service, job);
    await untilDelivery(job.id, { state: 'given_up', nextTryAt: null, tries: [{ status: 410 }] });
    expect(await requestsWithToken(lab, token)).toHaveLength(1);
  });

  test('that does not respond times out after ten seconds', async () => {
    const job = jobFor({ url: receiver({ hang: 1 }).url });
    await run(service, job);
    const { tries } = await untilTried(job.id);
    expect(tries[0]).toMatchObject({ status: null, error: expect.stringContaining('10 s') });
    expect(tries[0]?.milliseconds).toBeGreaterThanOrEqual(9_900);
    expect(tries[0]?.milliseconds).toBeLessThan(60_000);
  });

  test('whose response does not end counts as accepted by its status', async () => {
    const job = jobFor({ url: receiver({ endless: 1 }).url });
    await run(service, job);
    await untilDelivery(job.id, { state: 'delivered', tries: [{ status: 200 }] });
  });

  test.each([
    'http://127.0.0.1:9/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://localhost/',
    'http://2130706433/',
  ])('at an internal address is not called: %s', async (url) => {
    const job = jobFor({ url });
    await run(service, job);
    const { tries } = await untilDelivery(job.id, { state: 'given_up', tries: [{ status: null }] });
    expect(tries).toHaveLength(1);
    expect(tries[0]?.error).toMatch(/does not connect to it/);
  });
});

describe('the webhooks of an account', () => {
  const authorization = `Bearer ${keys.otherRender}`;
  const remove = (id: string) =>
    fetchJson(`${service}/api/v1/webhooks/${id}`, { method: 'DELETE', headers: { authorization } });
  const send = <Body>(path: string, body: unknown, key: string | undefined = keys.otherRender) =>
    post<Body & ErrorAnswer>(`${service}/api/v1/${path}`, body, key);

  test('receive the end of every job, tests and redeliveries, signed with their secret', async () => {
    const { url, token } = receiver();
    const created = await send<{ id: string; url: string; secret: string }>('webhooks', { url });
    expect([created.status, created.body]).toMatchObject([201, { url, secret: expect.stringMatching(/^whsec_/) }]);
    const { id, secret: chosen } = created.body;
    const key = Buffer.from(chosen.slice('whsec_'.length), 'base64');
    const list = await fetchJson<{ webhooks: object[] }>(`${service}/api/v1/webhooks`, { headers: { authorization } });
    expect(JSON.stringify(list.body)).toContain(id);
    expect(JSON.stringify(list.body)).not.toContain(chosen);

    const tested = await send('webhooks/test', { webhookId: id });
    expect([tested.status, tested.body]).toMatchObject([200, { delivered: true, status: 200, error: null }]);

    const job = { ...jobFor({ url }), webhook: undefined };
    const { body } = await send<StartedJob>('render/execute', job);
    const last = await outcome(body.sseStatusUrl);
    const deliveryOfAccount = async () => {
      const [delivery] = (await deliveriesOf(job.id, keys.otherRender)).body.deliveries;
      return delivery;
    };
    await expect.poll(deliveryOfAccount).toMatchObject({ webhookId: id, state: 'delivered' });
    const { id: deliveryId = '' } = (await deliveryOfAccount()) ?? {};
    const again = await send(`render/jobs/${job.id}/deliveries/${deliveryId}/redeliver`, {});
    expect([again.status, again.body]).toMatchObject([202, { id: deliveryId, state: 'pending' }]);
    await expect.poll(deliveryOfAccount).toMatchObject({ tries: [{ status: 200 }, { status: 200 }] });

    const requests = await requestsWithToken(lab, token);
    expect(requests.map(({ body: event }) => JSON.parse(event))).toMatchObject([{ test: true }, last, last]);
    for (const request of requests) expect(request.headers['webhook-signature']).toBe(signatureOf(request, key));
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
  });

  test('report how a receiver responds to a test, and call no internal address', async () => {
    const probe = (target: object) => send('webhooks/test', { secret, ...target });
    expect((await probe({ url: receiver({ status: 500 }).url })).body).toMatchObject({ delivered: false, status: 500 });
    const internal = await probe({ url: 'http://127.0.0.1:9/' });
    expect(internal.body).toMatchObject({ delivered: false, status: null });
    expect(JSON.stringify(internal.body)).toMatch(/does not connect to it/);
  });

  test.each([
    ['webhooks', { url: 'ftp://hooks.example/' }, 400],
    ['webhooks/test', {}, 400],
    ['webhooks/test', { webhookId: 'unknown' }, 404],
    ['render/jobs/none/deliveries/none/redeliver', {}, 404],
  ])('are refused with an invalid request to %s: %j', async (path, body, status) => {
    expect((await send(path, body)).status).toBe(status);
  });

  test("are not available to the page's requests", async () => {
    const page = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
    for (const [method, path, body] of [
      ['GET', 'webhooks', undefined],
      ['POST', 'webhooks', '{}'],
      ['POST', 'webhooks/test', '{}'],
      ['DELETE', 'webhooks/any', undefined],
      ['POST', 'render/jobs/any/deliveries/any/redeliver', '{}'],
      ['GET', 'render/jobs/any/deliveries', undefined],
    ] as const) {
      const headers = body === undefined ? page : { ...page, 'content-type': 'application/json' };
      const init = { method, headers, ...(body === undefined ? {} : { body }) };
      const response = await fetchJson<ErrorAnswer>(`${service}/api/v1/${path}`, init);
      expect([path, response.status, response.body.error.code]).toEqual([path, 401, 'unauthorized']);
    }
  });
});

describe('the deliveries of a job', () => {
  test('are visible to the key that started it', async () => {
    const job = jobFor({ url: receiver().url });
    await run(service, job);
    expect((await deliveriesOf(job.id)).headers.get('cache-control')).toBe('no-store');
    const refusal = await deliveriesOf(job.id, keys.otherRender);
    expect([refusal.status, (refusal.body as unknown as ErrorAnswer).error.code]).toEqual([403, 'forbidden']);
    expect((await deliveriesOf(job.id, 'wrong')).status).toBe(401);
    for (const id of ['never-started', '%00', 'a'.repeat(200)]) expect((await deliveriesOf(id)).status).toBe(404);
  });

  test("contain neither secrets nor the receiver's address", async () => {
    const { url, token } = receiver({ status: 500 });
    const job = jobFor({ url });
    await run(service, job);
    await untilTried(job.id);
    const text = JSON.stringify((await deliveriesOf(job.id)).body);
    for (const hidden of [secret, token, url]) expect(text).not.toContain(hidden);
  });

  test('are empty for a job without a webhook', async () => {
    const job = { ...jobFor({ url: 'https://hooks.example/' }), webhook: undefined };
    await run(service, job);
    expect((await deliveriesOf(job.id)).body).toEqual({ jobId: job.id, deliveries: [] });
  });
});

test('a second start notifies no other receiver, and reports that', async () => {
  const [first, second] = [receiver(), receiver()];
  const job = jobFor({ url: first.url });
  await run(service, job);
  const again = await post<StartedJob>(`${service}/api/v1/render/execute`, {
    ...job,
    webhook: { url: second.url, secret },
  });
  expect(again.body).toMatchObject({ status: 'already_exists', message: expect.stringContaining('when it started') });
  await untilDelivery(job.id, { state: 'delivered' });
  expect(await requestsWithToken(lab, second.token)).toEqual([]);
});

describe('an invalid webhook', () => {
  const url = 'https://hooks.example/';
  test.each([
    ['no URL', { secret }, 'webhook.url'],
    ['no secret', { url }, 'webhook.secret'],
    ['an unsupported scheme', { url: 'ftp://hooks.example/', secret }, 'webhook.url'],
    ['an invalid URL', { url: '/hooks', secret }, 'webhook.url'],
    ['a user in the URL', { url: 'https://me:word@hooks.example/', secret }, 'webhook.url'],
    ['a URL of 2,049 characters', { url: url.padEnd(2_049, 'a'), secret }, 'webhook.url'],
    ['a secret of 15 characters', { url, secret: 'a'.repeat(15) }, 'webhook.secret'],
    ['a secret of 257 characters', { url, secret: 'a'.repeat(257) }, 'webhook.secret'],
    ['a secret with a line break', { url, secret: `${'a'.repeat(16)}\n` }, 'webhook.secret'],
    ['a secret that only looks encoded', { url, secret: 'whsec_%%%%%%%%%%%%%%%%' }, 'webhook.secret'],
    [
      'an encoded secret of 15 bytes',
      { url, secret: `whsec_${Buffer.alloc(15).toString('base64')}` },
      'webhook.secret',
    ],
    ['an unknown member', { url, secret, method: 'PUT' }, 'webhook.method'],
    ['text', 'https://hooks.example/', 'webhook'],
  ])('is refused with %s', async (_, webhook, path) => {
    const job = { ...jobFor({ url }), webhook };
    const { status, body } = await post<ErrorAnswer>(`${service}/api/v1/render/execute`, job);
    expect([status, body.error.code]).toEqual([400, 'invalid_body']);
    expect(body.error.fields?.map((field) => field.path)).toContain(path);
  });
});

describe('a service that is killed between two tries', { tags: ['long'] }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.delete());

  test('resumes after its restart, and logs no receiver', async () => {
    // The next try follows five seconds later: the service is killed before that.
    const { url, token } = receiver({ status: 503, times: 1 });
    const job = jobFor({ url });
    const first = await startService(lab, folder.path);
    await run(first.url, job);
    const deliveryAt = async (of: string) => (await deliveriesOf(job.id, keys.render, of)).body.deliveries[0];
    await expect.poll(async () => (await deliveryAt(first.url))?.tries.length).toBeGreaterThan(0);
    await first.kill();
    const second = await startService(lab, folder.path);
    try {
      const tries = [{ status: 503 }, { status: 200 }];
      await expect.poll(() => deliveryAt(second.url)).toMatchObject({ state: 'delivered', tries });
      expect(await requestsWithToken(lab, token)).toHaveLength(2);
      const logs = first.output() + second.output();
      expect(logs).toContain('webhook tried');
      for (const hidden of [secret, token]) expect(logs).not.toContain(hidden);
    } finally {
      await second.kill();
    }
  });
});

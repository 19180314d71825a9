import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '#client/webhook.ts';
import { MillraceError } from '../../contract/errors.ts';
import { openJobs } from '../jobs/jobs.ts';
import { workerLostError } from '../jobs/queue/suspects.ts';
import { fakeReceiver, jobOf, openWebhookFixture, secret, worker } from './testing/webhook-fixture.ts';
import { readDeliveries } from './webhook-store.ts';

const processingError = new MillraceError('processing_failed', 'it broke');

let fixture: Awaited<ReturnType<typeof openWebhookFixture>>;
beforeAll(async () => {
  fixture = await openWebhookFixture();
});
afterAll(() => fixture.close());
afterEach(() => fixture.clear());

describe('the end of a job', () => {
  test('is told once, with a signature that its receiver can check', async () => {
    const { requests, egress } = fakeReceiver(() => 204);
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await fixture.untilState('one', 'delivered');
    const [request] = requests;
    expect(requests).toHaveLength(1);
    expect(request).toMatchObject({ url: 'https://hooks.example/one', method: 'POST', followRedirects: false });
    const { id, event } = await verifyWebhook(
      { headers: request?.headers?.values ?? {}, body: request?.body ?? '' },
      secret,
    );
    expect(event).toMatchObject({ job_id: 'one', status: 'done', output: { url: 'https://files.example/link/a.mp4' } });
    const attempt = { at: expect.any(String), milliseconds: expect.any(Number), status: 204, error: null };
    expect(await fixture.deliveryOf('one')).toEqual({ id, state: 'delivered', nextTryAt: null, tries: [attempt] });
    expect(await fixture.database.query('select target from render_webhooks')).toEqual([{ target: null }]);
  });

  test.each([
    ['as failed', (run: string) => fixture.queue.fail(run, processingError, 10), processingError.message],
    ['as lost', () => lose(), workerLostError().message],
  ])('is told %s', async (_, end, error) => {
    const { requests, egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await fixture.jobs.start(jobOf('one'), 'me');
    const job = await fixture.queue.claim(worker);
    await end(job?.run ?? '');
    await fixture.untilState('one', 'delivered');
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ status: 'failed', error });
  });

  /** The worker is lost so often that the job fails. */
  async function lose(): Promise<void> {
    for (let death = 0; death < 5; death += 1) {
      await fixture.queue.recoverLostRuns(true);
      await fixture.queue.claim(worker);
    }
  }

  test('is told of a job that fails as it starts, since too many wait', async () => {
    const { requests, egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await openJobs(fixture.database, fixture.sealer, 0).start(jobOf('one'), 'me');
    await fixture.untilState('one', 'delivered');
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('capacity'),
    });
  });

  test('is not told before it, and not of jobs without a webhook', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    await fixture.jobs.start(jobOf('two', null), 'me');
    expect(await fixture.store.claim([])).toBeUndefined();
    expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'waiting', nextTryAt: null, tries: [] });
    expect(await readDeliveries(fixture.database, 'two')).toEqual({ owner: 'me', deliveries: [] });
  });

  test('is told of a job that was refused for its owner to nobody', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    await expect(fixture.jobs.start(jobOf('two'), 'me', 1)).rejects.toBeInstanceOf(MillraceError);
    expect(await fixture.database.query('select job_id from render_webhooks')).toEqual([{ job_id: 'one' }]);
  });
});

describe('an answer', () => {
  test.each([
    [500, 'did not accept'],
    [404, 'did not accept'],
    [302, 'redirects'],
  ])('%i lets it be tried again', async (status, error) => {
    const { egress } = fakeReceiver(() => status);
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1));
    const delivery = await fixture.deliveryOf('one');
    expect(delivery).toMatchObject({ state: 'pending', tries: [{ status, error: expect.stringContaining(error) }] });
    const pause = Date.parse(delivery.nextTryAt ?? '') - Date.parse(delivery.tries[0]?.at ?? '');
    expect(pause).toBeGreaterThanOrEqual(4_900);
    expect(pause).toBeLessThan(10_000);
  });

  test('410 ends it', async () => {
    const { egress } = fakeReceiver(() => 410);
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await fixture.untilState('one', 'given_up');
  });

  test('that never comes is a try as well; a refused address the last one', async () => {
    const unreachable = new MillraceError('connection_error', 'The connection to hooks.example failed.');
    const addressRefused = new MillraceError('address_refused', 'hooks.example is not public.');
    const { egress } = fakeReceiver((_, count) => Promise.reject(count === 1 ? unreachable : addressRefused));
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1));
    await fixture.database.query('update render_webhooks set due_at = now()');
    await fixture.untilState('one', 'given_up');
    const tries = [unreachable, addressRefused].map(({ message }) =>
      expect.objectContaining({ status: null, error: message }),
    );
    expect((await fixture.deliveryOf('one')).tries).toEqual(tries);
  });

  test('of the eighth try is the last', async () => {
    const { egress } = fakeReceiver(() => 503);
    await fixture.completeJob('one');
    await fixture.database.query('update render_webhooks set attempts = 7');
    await fixture.deliver(egress);
    await fixture.untilState('one', 'given_up');
  });
});

describe('several nodes', () => {
  test('deliver each event once', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `job-${at}`);
    for (const id of ids) await fixture.completeJob(id, `owner-${id}`);
    const { requests, egress } = fakeReceiver(() => 200);
    await Promise.all([fixture.deliver(egress), fixture.deliver(egress, fixture.other)]);
    for (const id of ids) await fixture.untilState(id, 'delivered');
    expect(requests.map(({ url }) => url).sort()).toEqual(ids.map((id) => `https://hooks.example/${id}`).sort());
  });

  test('take up what a node that died had begun, whose note then changes nothing', async () => {
    await fixture.completeJob('one');
    const abandoned = await fixture.store.claim([]);
    if (abandoned === undefined) throw new Error('nothing was due');
    expect(await fixture.store.claim([])).toBeUndefined();
    await fixture.database.query(`update render_webhooks set due_at = due_at - interval '30 seconds'`);
    const { egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress, fixture.other);
    await fixture.untilState('one', 'delivered');
    const attempt = { at: new Date().toISOString(), milliseconds: 1, status: 500, error: 'late' };
    await fixture.store.recordAttempt(abandoned, attempt, { pause: 1, event: '{}' });
    expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'delivered', tries: [{ status: 200 }] });
  });

  test('use up no try when they die before a note of it', async () => {
    await fixture.completeJob('one');
    for (let death = 0; death < 8; death += 1) {
      expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one' });
      await fixture.database.query('update render_webhooks set due_at = now()');
    }
    const { egress } = fakeReceiver(() => 503);
    await fixture.deliver(egress);
    await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1));
    const { state, nextTryAt, tries } = await fixture.deliveryOf('one');
    expect(state).toBe('pending');
    // The first pause of the schedule.
    expect(Date.parse(nextTryAt ?? '') - Date.parse(tries[0]?.at ?? '')).toBeLessThan(10_000);
  });

  test('take up at once what a node that stops breaks off', async () => {
    await fixture.completeJob('one');
    const { requests, egress } = fakeReceiver((request) => {
      const { promise, reject } = Promise.withResolvers<number>();
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
      return promise;
    });
    const loop = await fixture.deliver(egress);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    await loop.close();
    expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one', tries: 0 });
  });
});

test('slow receivers of one owner keep nobody else waiting', async () => {
  for (let at = 0; at < 6; at += 1) await fixture.completeJob(`slow-${at}`, 'slow');
  await fixture.completeJob('quick', 'other');
  const slowResponse = Promise.withResolvers<number>();
  const { requests, egress } = fakeReceiver(({ url }) => (url.includes('slow') ? slowResponse.promise : 200));
  await fixture.deliver(egress);
  await fixture.untilState('quick', 'delivered');
  expect(requests.filter(({ url }) => url.includes('slow'))).toHaveLength(4);
  slowResponse.resolve(200);
  for (let at = 0; at < 6; at += 1) await fixture.untilState(`slow-${at}`, 'delivered');
});

describe('a job that is started again', () => {
  test('keeps the webhook that it began with while it lives', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    const again = await fixture.jobs.start(jobOf('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(again).toMatchObject({ isNew: false, message: expect.stringContaining('when it began') });
    const { run } = (await fixture.queue.claim(worker)) ?? { run: '' };
    await fixture.queue.fail(run, processingError, 0);
    expect(await fixture.store.claim([])).toMatchObject({ target: { url: 'https://hooks.example/one' } });
  });

  test('tells the newest of its end when it had failed', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    const { run } = (await fixture.queue.claim(worker)) ?? { run: '' };
    await fixture.queue.fail(run, processingError, 0);
    const { id: before } = await fixture.deliveryOf('one');
    await fixture.jobs.start(jobOf('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'waiting', tries: [] });
    expect((await fixture.deliveryOf('one')).id).not.toBe(before);
  });
});

test('address and secret are sealed at rest, and workers are not told of them', async () => {
  await fixture.jobs.start(jobOf('one'), 'me');
  const job = await fixture.queue.claim(worker);
  expect(job?.job).not.toHaveProperty('webhook');
  const [row] = await fixture.database.query<{ target: string }>('select target from render_webhooks');
  expect(fixture.sealer.open('webhook', row?.target ?? '')).toEqual({ url: 'https://hooks.example/one', secret });
});

test('what was sealed with a secret that is gone is given up, and says why', async () => {
  await fixture.completeJob('one');
  await fixture.database.query(`update render_webhooks set target = 'AAAA'`);
  const { requests, egress } = fakeReceiver(() => 200);
  await fixture.deliver(egress);
  await fixture.untilState('one', 'given_up');
  expect(requests).toEqual([]);
  expect((await fixture.deliveryOf('one')).tries).toMatchObject([
    { status: null, error: expect.stringContaining('secret') },
  ]);
});

test('what came of it goes with the job', async () => {
  const { egress } = fakeReceiver(() => 200);
  await fixture.deliver(egress);
  await fixture.completeJob('one');
  await fixture.untilState('one', 'delivered');
  await fixture.database.query('delete from render_jobs');
  expect(await fixture.database.query('select 1 from render_webhooks')).toEqual([]);
});

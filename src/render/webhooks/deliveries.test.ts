import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '#client/webhook.ts';
import { MillraceError } from '../../contract/errors.ts';
import { openJobs } from '../jobs/jobs.ts';
import { workerLostError } from '../jobs/queue/suspects.ts';
import { jobOf, openWebhookFixture, fakeReceiver, secret, worker } from './testing/webhook-fixture.ts';
import { readDeliveries } from './webhook-store.ts';

const processingError = new MillraceError('processing_failed', 'it broke');

let world: Awaited<ReturnType<typeof openWebhookFixture>>;
beforeAll(async () => {
  world = await openWebhookFixture();
});
afterAll(() => world.close());
afterEach(() => world.clear());

describe('the end of a job', () => {
  test('is told once, with a signature that its receiver can check', async () => {
    const { got: requests, egress } = fakeReceiver(() => 204);
    await world.deliver(egress);
    await world.completeJob('one');
    await world.untilState('one', 'delivered');
    const [request] = requests;
    expect(requests).toHaveLength(1);
    expect(request).toMatchObject({ url: 'https://hooks.example/one', method: 'POST', followRedirects: false });
    const { id, event } = await verifyWebhook(
      { headers: request?.headers?.values ?? {}, body: request?.body ?? '' },
      secret,
    );
    expect(event).toMatchObject({ job_id: 'one', status: 'done', output: { url: 'https://files.example/link/a.mp4' } });
    const attempt = { at: expect.any(String), milliseconds: expect.any(Number), status: 204, error: null };
    expect(await world.deliveryOf('one')).toEqual({ id, state: 'delivered', nextTryAt: null, tries: [attempt] });
    expect(await world.database.query('select target from render_webhooks')).toEqual([{ target: null }]);
  });

  test.each([
    ['as failed', (run: string) => world.queue.fail(run, processingError, 10), processingError.message],
    ['as lost', () => lose(), workerLostError().message],
  ])('is told %s', async (_, end, error) => {
    const { got: requests, egress } = fakeReceiver(() => 200);
    await world.deliver(egress);
    await world.jobs.start(jobOf('one'), 'me');
    const job = await world.queue.claim(worker);
    await end(job?.run ?? '');
    await world.untilState('one', 'delivered');
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ status: 'failed', error });
  });

  /** The worker is lost so often that the job fails. */
  async function lose(): Promise<void> {
    for (let death = 0; death < 5; death += 1) {
      await world.queue.recoverLostRuns(true);
      await world.queue.claim(worker);
    }
  }

  test('is told of a job that fails as it starts, since too many wait', async () => {
    const { got: requests, egress } = fakeReceiver(() => 200);
    await world.deliver(egress);
    await openJobs(world.database, world.sealer, 0).start(jobOf('one'), 'me');
    await world.untilState('one', 'delivered');
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('capacity'),
    });
  });

  test('is not told before it, and not of jobs without a webhook', async () => {
    await world.jobs.start(jobOf('one'), 'me');
    await world.jobs.start(jobOf('two', null), 'me');
    expect(await world.store.claim([])).toBeUndefined();
    expect(await world.deliveryOf('one')).toMatchObject({ state: 'waiting', nextTryAt: null, tries: [] });
    expect(await readDeliveries(world.database, 'two')).toEqual({ owner: 'me', deliveries: [] });
  });

  test('is told of a job that was refused for its owner to nobody', async () => {
    await world.jobs.start(jobOf('one'), 'me');
    await expect(world.jobs.start(jobOf('two'), 'me', 1)).rejects.toBeInstanceOf(MillraceError);
    expect(await world.database.query('select job_id from render_webhooks')).toEqual([{ job_id: 'one' }]);
  });
});

describe('an answer', () => {
  test.each([
    [500, 'did not accept'],
    [404, 'did not accept'],
    [302, 'redirects'],
  ])('%i lets it be tried again', async (status, error) => {
    const { egress } = fakeReceiver(() => status);
    await world.deliver(egress);
    await world.completeJob('one');
    await vi.waitFor(async () => expect((await world.deliveryOf('one')).tries).toHaveLength(1));
    const delivery = await world.deliveryOf('one');
    expect(delivery).toMatchObject({ state: 'pending', tries: [{ status, error: expect.stringContaining(error) }] });
    const pause = Date.parse(delivery.nextTryAt ?? '') - Date.parse(delivery.tries[0]?.at ?? '');
    expect(pause).toBeGreaterThanOrEqual(4_900);
    expect(pause).toBeLessThan(10_000);
  });

  test('410 ends it', async () => {
    const { egress } = fakeReceiver(() => 410);
    await world.deliver(egress);
    await world.completeJob('one');
    await world.untilState('one', 'given_up');
  });

  test('that never comes is a try as well; a refused address the last one', async () => {
    const unreachable = new MillraceError('connection_error', 'The connection to hooks.example failed.');
    const addressRefused = new MillraceError('address_refused', 'hooks.example is not public.');
    const { egress } = fakeReceiver((_, count) => Promise.reject(count === 1 ? unreachable : addressRefused));
    await world.deliver(egress);
    await world.completeJob('one');
    await vi.waitFor(async () => expect((await world.deliveryOf('one')).tries).toHaveLength(1));
    await world.database.query('update render_webhooks set due_at = now()');
    await world.untilState('one', 'given_up');
    const tries = [unreachable, addressRefused].map(({ message }) =>
      expect.objectContaining({ status: null, error: message }),
    );
    expect((await world.deliveryOf('one')).tries).toEqual(tries);
  });

  test('of the eighth try is the last', async () => {
    const { egress } = fakeReceiver(() => 503);
    await world.completeJob('one');
    await world.database.query('update render_webhooks set attempts = 7');
    await world.deliver(egress);
    await world.untilState('one', 'given_up');
  });
});

describe('several nodes', () => {
  test('deliver each event once', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `job-${at}`);
    for (const id of ids) await world.completeJob(id, `owner-${id}`);
    const { got: requests, egress } = fakeReceiver(() => 200);
    await Promise.all([world.deliver(egress), world.deliver(egress, world.other)]);
    for (const id of ids) await world.untilState(id, 'delivered');
    expect(requests.map(({ url }) => url).sort()).toEqual(ids.map((id) => `https://hooks.example/${id}`).sort());
  });

  test('take up what a node that died had begun, whose note then changes nothing', async () => {
    await world.completeJob('one');
    const abandoned = await world.store.claim([]);
    if (abandoned === undefined) throw new Error('nothing was due');
    expect(await world.store.claim([])).toBeUndefined();
    await world.database.query(`update render_webhooks set due_at = due_at - interval '30 seconds'`);
    const { egress } = fakeReceiver(() => 200);
    await world.deliver(egress, world.other);
    await world.untilState('one', 'delivered');
    const attempt = { at: new Date().toISOString(), milliseconds: 1, status: 500, error: 'late' };
    await world.store.recordAttempt(abandoned, attempt, { pause: 1, event: '{}' });
    expect(await world.deliveryOf('one')).toMatchObject({ state: 'delivered', tries: [{ status: 200 }] });
  });

  test('use up no try when they die before a note of it', async () => {
    await world.completeJob('one');
    for (let death = 0; death < 8; death += 1) {
      expect(await world.store.claim([])).toMatchObject({ jobId: 'one' });
      await world.database.query('update render_webhooks set due_at = now()');
    }
    const { egress } = fakeReceiver(() => 503);
    await world.deliver(egress);
    await vi.waitFor(async () => expect((await world.deliveryOf('one')).tries).toHaveLength(1));
    const { state, nextTryAt, tries } = await world.deliveryOf('one');
    expect(state).toBe('pending');
    // The first pause of the schedule.
    expect(Date.parse(nextTryAt ?? '') - Date.parse(tries[0]?.at ?? '')).toBeLessThan(10_000);
  });

  test('take up at once what a node that stops breaks off', async () => {
    await world.completeJob('one');
    const { got: requests, egress } = fakeReceiver((request) => {
      const { promise, reject } = Promise.withResolvers<number>();
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
      return promise;
    });
    const loop = await world.deliver(egress);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    await loop.close();
    expect(await world.store.claim([])).toMatchObject({ jobId: 'one', tries: 0 });
  });
});

test('slow receivers of one owner keep nobody else waiting', async () => {
  for (let at = 0; at < 6; at += 1) await world.completeJob(`slow-${at}`, 'slow');
  await world.completeJob('quick', 'other');
  const slowResponse = Promise.withResolvers<number>();
  const { got: requests, egress } = fakeReceiver(({ url }) => (url.includes('slow') ? slowResponse.promise : 200));
  await world.deliver(egress);
  await world.untilState('quick', 'delivered');
  expect(requests.filter(({ url }) => url.includes('slow'))).toHaveLength(4);
  slowResponse.resolve(200);
  for (let at = 0; at < 6; at += 1) await world.untilState(`slow-${at}`, 'delivered');
});

describe('a job that is started again', () => {
  test('keeps the webhook that it began with while it lives', async () => {
    await world.jobs.start(jobOf('one'), 'me');
    const again = await world.jobs.start(jobOf('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(again).toMatchObject({ isNew: false, message: expect.stringContaining('when it began') });
    const { run } = (await world.queue.claim(worker)) ?? { run: '' };
    await world.queue.fail(run, processingError, 0);
    expect(await world.store.claim([])).toMatchObject({ target: { url: 'https://hooks.example/one' } });
  });

  test('tells the newest of its end when it had failed', async () => {
    await world.jobs.start(jobOf('one'), 'me');
    const { run } = (await world.queue.claim(worker)) ?? { run: '' };
    await world.queue.fail(run, processingError, 0);
    const { id: before } = await world.deliveryOf('one');
    await world.jobs.start(jobOf('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(await world.deliveryOf('one')).toMatchObject({ state: 'waiting', tries: [] });
    expect((await world.deliveryOf('one')).id).not.toBe(before);
  });
});

test('address and secret are sealed at rest, and workers are not told of them', async () => {
  await world.jobs.start(jobOf('one'), 'me');
  const job = await world.queue.claim(worker);
  expect(job?.job).not.toHaveProperty('webhook');
  const [row] = await world.database.query<{ target: string }>('select target from render_webhooks');
  expect(world.sealer.open('webhook', row?.target ?? '')).toEqual({ url: 'https://hooks.example/one', secret });
});

test('what was sealed with a secret that is gone is given up, and says why', async () => {
  await world.completeJob('one');
  await world.database.query(`update render_webhooks set target = 'AAAA'`);
  const { got: requests, egress } = fakeReceiver(() => 200);
  await world.deliver(egress);
  await world.untilState('one', 'given_up');
  expect(requests).toEqual([]);
  expect((await world.deliveryOf('one')).tries).toMatchObject([
    { status: null, error: expect.stringContaining('secret') },
  ]);
});

test('what came of it goes with the job', async () => {
  const { egress } = fakeReceiver(() => 200);
  await world.deliver(egress);
  await world.completeJob('one');
  await world.untilState('one', 'delivered');
  await world.database.query('delete from render_jobs');
  expect(await world.database.query('select 1 from render_webhooks')).toEqual([]);
});

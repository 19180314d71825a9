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

describe('the event of a finished job', () => {
  test('is sent once, with a signature that its receiver can verify', async () => {
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
    expect(await fixture.deliveryOf('one')).toEqual({
      id,
      webhookId: null,
      state: 'delivered',
      nextTryAt: null,
      tries: [attempt],
    });
  });

  test.each([
    ['as failed', (run: string) => fixture.queue.fail(run, processingError, 10), processingError.message],
    ['as lost', () => lose(), workerLostError().message],
  ])('is sent for a job that ends %s', async (_, end, error) => {
    const { requests, egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await fixture.jobs.start(jobOf('one'), 'me');
    const job = await fixture.queue.claim(worker);
    await end(job?.run ?? '');
    await fixture.untilState('one', 'delivered');
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ status: 'failed', error });
  });

  /** Loses the worker so often that the job fails. */
  async function lose(): Promise<void> {
    for (let death = 0; death < 5; death += 1) {
      await fixture.queue.recoverLostRuns(true);
      await fixture.queue.claim(worker);
    }
  }

  test('is sent for a job that fails at its start because too many jobs wait', async () => {
    const { requests, egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await openJobs(fixture.database, fixture.sealer, 0).start(jobOf('one'), 'me');
    await fixture.untilState('one', 'delivered');
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('capacity'),
    });
  });

  test('is not sent before the end, nor for jobs without a webhook', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    await fixture.jobs.start(jobOf('two', null), 'me');
    expect(await fixture.store.claim([])).toBeUndefined();
    expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'waiting', nextTryAt: null, tries: [] });
    expect(await readDeliveries(fixture.database, 'two')).toEqual({ owner: 'me', deliveries: [] });
  });

  test('is sent to no one for a job that was rejected because of its owner', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    await expect(fixture.jobs.start(jobOf('two'), 'me', { maxUnfinished: 1 })).rejects.toBeInstanceOf(MillraceError);
    expect(await fixture.database.query('select job_id from render_webhooks')).toEqual([{ job_id: 'one' }]);
  });
});

describe('a delivery attempt', () => {
  test.each([
    [500, 'did not accept'],
    [404, 'did not accept'],
    [302, 'redirect'],
  ])('that returns %i is retried', async (status, error) => {
    const { egress } = fakeReceiver(() => status);
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1), { timeout: 60_000 });
    const delivery = await fixture.deliveryOf('one');
    expect(delivery).toMatchObject({ state: 'pending', tries: [{ status, error: expect.stringContaining(error) }] });
    const pause = Date.parse(delivery.nextTryAt ?? '') - Date.parse(delivery.tries[0]?.at ?? '');
    expect(pause).toBeGreaterThanOrEqual(4_900);
    expect(pause).toBeLessThan(60_000);
  });

  test('that returns 410 is the last one', async () => {
    const { egress } = fakeReceiver(() => 410);
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await fixture.untilState('one', 'given_up');
  });

  test('is counted if it gets no response, and is the last one if the address is refused', async () => {
    const unreachable = new MillraceError('connection_error', 'The connection to hooks.example failed.');
    const addressRefused = new MillraceError('address_refused', 'hooks.example is not public.');
    const { egress } = fakeReceiver((_, count) => Promise.reject(count === 1 ? unreachable : addressRefused));
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1), { timeout: 60_000 });
    await fixture.database.query('update render_webhooks set due_at = now()');
    await fixture.untilState('one', 'given_up');
    const tries = [unreachable, addressRefused].map(({ message }) =>
      expect.objectContaining({ status: null, error: message }),
    );
    expect((await fixture.deliveryOf('one')).tries).toEqual(tries);
  });

  test('is the last one if it is the eighth', async () => {
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

  test('take over the attempt of a dead node, whose later record changes nothing', async () => {
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

  test('count no attempt if they die before recording it', async () => {
    await fixture.completeJob('one');
    for (let death = 0; death < 8; death += 1) {
      expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one' });
      await fixture.database.query('update render_webhooks set due_at = now()');
    }
    const { egress } = fakeReceiver(() => 503);
    await fixture.deliver(egress);
    await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1), { timeout: 60_000 });
    const { state, nextTryAt, tries } = await fixture.deliveryOf('one');
    expect(state).toBe('pending');
    // The first delay of the schedule.
    expect(Date.parse(nextTryAt ?? '') - Date.parse(tries[0]?.at ?? '')).toBeLessThan(60_000);
  });

  test('take over the attempts of a stopping node immediately', async () => {
    await fixture.completeJob('one');
    const { requests, egress } = fakeReceiver((request) => {
      const { promise, reject } = Promise.withResolvers<number>();
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
      return promise;
    });
    const loop = await fixture.deliver(egress);
    await vi.waitFor(() => expect(requests).toHaveLength(1), { timeout: 60_000 });
    await loop.close();
    expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one', tries: 0 });
  });
});

test('does not delay other owners if the receivers of one owner are slow', async () => {
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

describe('a restarted job', () => {
  test('keeps its original webhook while it is unfinished', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    const again = await fixture.jobs.start(jobOf('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(again).toMatchObject({ isNew: false, message: expect.stringContaining('when it started') });
    const { run } = (await fixture.queue.claim(worker)) ?? { run: '' };
    await fixture.queue.fail(run, processingError, 0);
    expect(await fixture.store.claim([])).toMatchObject({ target: { url: 'https://hooks.example/one' } });
  });

  test('sends its event to the newest webhook if it had failed', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    const { run } = (await fixture.queue.claim(worker)) ?? { run: '' };
    await fixture.queue.fail(run, processingError, 0);
    const { id: before } = await fixture.deliveryOf('one');
    await fixture.jobs.start(jobOf('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'waiting', tries: [] });
    expect((await fixture.deliveryOf('one')).id).not.toBe(before);
  });
});

test('seals URL and secret at rest, and does not give them to workers', async () => {
  await fixture.jobs.start(jobOf('one'), 'me');
  const job = await fixture.queue.claim(worker);
  expect(job?.job).not.toHaveProperty('webhook');
  const [row] = await fixture.database.query<{ target: string }>('select target from render_webhooks');
  expect(fixture.sealer.open('webhook', row?.target ?? '')).toEqual({ url: 'https://hooks.example/one', secret });
});

test('gives up a webhook sealed with a lost secret, and reports why', async () => {
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

test('deletes the delivery record with the job', async () => {
  const { egress } = fakeReceiver(() => 200);
  await fixture.deliver(egress);
  await fixture.completeJob('one');
  await fixture.untilState('one', 'delivered');
  await fixture.database.query('delete from render_jobs');
  expect(await fixture.database.query('select 1 from render_webhooks')).toEqual([]);
});

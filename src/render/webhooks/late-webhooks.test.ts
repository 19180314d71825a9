import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Sql } from '../../database/database.ts';
import { fakeReceiver, jobOf, openWebhookFixture, secret, worker } from './testing/webhook-fixture.ts';
import { openWebhookStore, readDeliveries } from './webhook-store.ts';

const processingError = new MillraceError('processing_failed', 'it broke');

const failedDelivery: DeliveryOutcome = {
  status: 'failed',
  host: 'bucket.example',
  bytes: 5,
  attempts: 1,
  httpStatus: 403,
  etag: null,
  code: 'delivery_refused',
  message: 'The store refused the file.',
};

let fixture: Awaited<ReturnType<typeof openWebhookFixture>>;
beforeAll(async () => {
  fixture = await openWebhookFixture();
});
afterAll(() => fixture.close());
afterEach(() => fixture.clear());

/** Makes a job expire, and deletes it like the sweeper of any version. */
async function expire(id: string): Promise<void> {
  await fixture.database.query(`update render_jobs set expires_at = now() where id = $1`, [id]);
  await fixture.database.query('delete from render_jobs where expires_at <= now()');
}

/** Makes everything due now. */
async function hurry(): Promise<void> {
  await fixture.database.query(`update render_webhooks set due_at = now() where state = 'pending'`);
  await fixture.database.query('update late_webhooks set due_at = now()');
}

const late = () => fixture.database.query<Record<string, unknown>>('select * from late_webhooks');
const untilOver = () => vi.waitFor(async () => expect(await late()).toEqual([]), { timeout: 60_000 });
const untilTried = (requests: readonly unknown[], times: number) =>
  vi.waitFor(() => expect(requests).toHaveLength(times), { timeout: 60_000 });

describe('an event of a deleted job', () => {
  test('is sent unchanged by every later attempt, and erased once it is delivered', async () => {
    const { requests, egress } = fakeReceiver((_, count) => (count < 3 ? 503 : 204));
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await untilTried(requests, 1);
    await vi.waitFor(
      async () => expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'pending', tries: [{}] }),
      { timeout: 60_000 },
    );
    await expire('one');
    expect(await readDeliveries(fixture.database, 'one')).toBeUndefined();
    await hurry();
    await untilTried(requests, 2);
    await vi.waitFor(async () => expect((await late())[0]?.due_at).toBeInstanceOf(Date), { timeout: 60_000 });
    await vi.waitFor(
      async () => {
        await hurry();
        expect(requests).toHaveLength(3);
      },
      { timeout: 60_000 },
    );
    await untilOver();
    const [first, ...others] = requests;
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      job_id: 'one',
      status: 'done',
      output: { size: 5 },
      request_id: 'request-one',
    });
    for (const { url, body, headers } of others) {
      expect([url, body]).toEqual([first?.url, first?.body]);
      expect(headers?.values['webhook-id']).toBe(first?.headers?.values['webhook-id']);
    }
  });

  test('is delivered even if no node ran between the end of the job and its expiry', async () => {
    await fixture.completeJob('one');
    await fixture.jobs.start(jobOf('two'), 'me');
    await fixture.queue.fail((await fixture.queue.claim(worker))?.run ?? '', processingError, 40, failedDelivery);
    for (const id of ['one', 'two']) await expire(id);
    const { requests, egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await untilOver();
    const events = requests.map(({ body }) => JSON.parse(body ?? ''));
    expect(events.toSorted((one, two) => one.job_id.localeCompare(two.job_id))).toMatchObject([
      {
        job_id: 'one',
        status: 'done',
        output: { url: 'https://files.example/link/a.mp4', notes: [] },
        error: null,
        request_id: 'request-one',
      },
      {
        job_id: 'two',
        request_id: null,
        status: 'failed',
        progress: 40,
        output: null,
        error_code: 'processing_failed',
        input: null,
        delivery: failedDelivery,
      },
    ]);
    expect(events.find(({ job_id: id }) => id === 'one')).not.toHaveProperty('delivery');
    for (const { created_at, expires_at } of events) {
      expect(new Date(created_at).toISOString()).toBe(created_at);
      expect(new Date(expires_at).toISOString()).toBe(expires_at);
    }
  });

  test('is sealed after its first attempt, like its URL and secret', async () => {
    const { requests, egress } = fakeReceiver(() => 503);
    const loop = await fixture.deliver(egress);
    await fixture.completeJob('one');
    await untilTried(requests, 1);
    await loop.close();
    const [pending] = await fixture.database.query<{ event: string; target: string }>('select * from render_webhooks');
    await expire('one');
    const [row] = await late();
    expect(row).toMatchObject({ event: pending?.event, target: pending?.target, status: null });
    expect(fixture.sealer.open('webhook-event', pending?.event ?? '')).toBe(requests[0]?.body);
    for (const hidden of [secret, 'hooks.example', 'a.mp4']) expect(JSON.stringify(row)).not.toContain(hidden);
  });

  test('is given up after 410, and after the last attempt', async () => {
    await fixture.completeJob('one');
    await expire('one');
    await fixture.completeJob('two');
    await expire('two');
    await fixture.database.query(`update late_webhooks set attempts = 7 where job_id = 'two'`);
    const { requests, egress } = fakeReceiver(({ url }) => (url.endsWith('one') ? 410 : 503));
    await fixture.deliver(egress);
    await untilOver();
    expect(requests).toHaveLength(2);
  });

  test('is given up a day after the end of the job, without an attempt', async () => {
    await fixture.completeJob('one');
    await fixture.completeJob('two');
    await fixture.database.query(`update render_webhooks set ended_at = now() - interval '24 hours'`);
    await expire('one');
    const { requests, egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await untilOver();
    await fixture.untilState('two', 'given_up');
    expect(await fixture.deliveryOf('two')).toMatchObject({
      tries: [{ error: expect.stringContaining('within a day') }],
    });
    expect(await fixture.database.query('select event from render_webhooks')).toEqual([{ event: null }]);
    expect(requests).toEqual([]);
  });

  test('is claimed by another node when the first one dies or stops', async () => {
    await fixture.completeJob('one');
    await expire('one');
    const abandoned = await fixture.store.claim([]);
    if (abandoned === undefined) throw new Error('nothing was due');
    expect(await fixture.store.claim([])).toBeUndefined();
    await fixture.store.release(abandoned);
    expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one', tries: 0 });
    await fixture.database.query(`update late_webhooks set due_at = due_at - interval '30 seconds'`);
    expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one', tries: 0 });
    const attempt = { at: new Date().toISOString(), milliseconds: 1, status: 200, error: null };
    await fixture.store.recordAttempt(abandoned, attempt, 'delivered');
    expect(await late()).toHaveLength(1);
  });

  test('takes turns with those of other jobs, however many of them are due', async () => {
    for (const id of ['gone-1', 'gone-2']) await fixture.completeJob(id);
    await fixture.database.query('update render_jobs set expires_at = now()');
    await fixture.database.query('delete from render_jobs');
    for (const id of ['kept-1', 'kept-2']) await fixture.completeJob(id);
    const claim = async () => (await fixture.store.claim([]))?.jobId;
    for (const number of [1, 2]) {
      expect([await claim(), await claim()].toSorted()).toEqual([`gone-${number}`, `kept-${number}`]);
    }
    expect(await claim()).toBeUndefined();
  });

  test('has not used up an attempt if a node dies before recording it', async () => {
    await fixture.completeJob('one');
    await expire('one');
    for (let death = 0; death < 8; death += 1) {
      expect(await fixture.store.claim([])).toMatchObject({ jobId: 'one' });
      await hurry();
    }
    const { egress } = fakeReceiver(() => 503);
    await fixture.deliver(egress);
    await vi.waitFor(async () => expect(await late()).toMatchObject([{ attempts: 1, event: expect.any(String) }]), {
      timeout: 60_000,
    });
  });

  test('ends if its job is deleted while its last attempt is recorded', async () => {
    await fixture.completeJob('one');
    const delivery = await fixture.store.claim([]);
    if (delivery === undefined) throw new Error('nothing was due');
    let isMoved = false;
    const sql: Sql = {
      async query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]> {
        if (isMoved) return await fixture.database.query<Row>(text, parameters);
        isMoved = true;
        await expire('one');
        // The statement started earlier and waited for the deletion, so it sees the row in neither table.
        return await fixture.database.query<Row>(text, [...(parameters ?? [])].with(1, randomUUID()));
      },
    };
    const attempt = { at: new Date().toISOString(), milliseconds: 1, status: 200, error: null };
    await openWebhookStore(sql, fixture.sealer).recordAttempt(delivery, attempt, 'delivered');
    expect(await late()).toEqual([]);
  });

  test('is delivered once if its job is deleted during an attempt', async () => {
    await fixture.completeJob('one');
    const answer = Promise.withResolvers<number>();
    const { requests, egress } = fakeReceiver(() => answer.promise);
    await fixture.deliver(egress);
    await untilTried(requests, 1);
    await expire('one');
    answer.resolve(200);
    await untilOver();
    expect(requests).toHaveLength(1);
  });
});

describe('a deleted job', () => {
  test('leaves no webhook if it was unfinished, or its event was delivered', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    await fixture.queue.claim(worker);
    await expire('one');
    const { egress } = fakeReceiver(() => 200);
    await fixture.deliver(egress);
    await fixture.completeJob('two');
    await fixture.untilState('two', 'delivered');
    await expire('two');
    expect(await fixture.database.query('select 1 from render_webhooks')).toEqual([]);
    expect(await late()).toEqual([]);
  });

  test('leaves no event if it had failed and is restarted, whichever version restarts it', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    await fixture.queue.fail((await fixture.queue.claim(worker))?.run ?? '', processingError, 0);
    await fixture.database.query(`delete from render_jobs where id = 'one'`);
    expect(await late()).toEqual([]);
  });

  test('leaves no event if its owner starts the ID again, but keeps it if another owner does', async () => {
    await fixture.completeJob('one');
    await expire('one');
    await fixture.jobs.start(jobOf('one'), 'you');
    expect(await late()).toMatchObject([{ job_id: 'one', owner: 'me' }]);
    await fixture.database.query('delete from render_jobs');
    await fixture.jobs.start(jobOf('one', null), 'me');
    expect(await late()).toEqual([]);
  });

  test('that an older version ended has a day from the first attempt of this version', async () => {
    await fixture.completeJob('one');
    await fixture.database.query('update render_webhooks set ended_at = null');
    await expire('one');
    const delivery = await fixture.store.claim([]);
    expect(delivery?.remainingMs).toBeGreaterThan(86_399_000);
  });
});

test.each([429, 503])('schedules the next attempt after %i no earlier than Retry-After', async (status) => {
  const { egress } = fakeReceiver(() => ({ status, headers: { 'retry-after': '3600' } }));
  await fixture.deliver(egress);
  await fixture.completeJob('one');
  await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(1), { timeout: 60_000 });
  const { nextTryAt } = await fixture.deliveryOf('one');
  const pause = Date.parse(nextTryAt ?? '') - Date.now();
  expect(pause).toBeGreaterThan(3_500_000);
  expect(pause).toBeLessThan(3_600_000 * 1.16);
});

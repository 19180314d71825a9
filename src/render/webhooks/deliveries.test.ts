import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../client/webhook.ts';
import { MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing.ts';
import type { Egress, EgressRequest } from '../../egress/egress.ts';
import { createSealer } from '../../sealing.ts';
import { type Jobs, openJobs } from '../jobs.ts';
import { openQueue, type Queue } from '../queue.ts';
import { statusEvent } from '../status-event.ts';
import { readStatus } from '../status-row.ts';
import { workerLost } from '../suspects.ts';
import { type DeliveryLoop, startDeliveries } from './deliveries.ts';
import { openWebhookStore, readDeliveries, type WebhookStore } from './webhook-store.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const broken = new MillraceError('processing_failed', 'it broke');
const secret = 'the secret of a receiver';
const sealer = createSealer(['a secret for these tests']);
const log = pino({ level: 'silent' });

let database: TestDatabase;
let other: Database;
let jobs: Jobs;
let queue: Queue;
let store: WebhookStore;
const loops: DeliveryLoop[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  other = await database.another();
  jobs = openJobs(database, sealer, 100);
  queue = openQueue(database, sealer);
  store = openWebhookStore(database, sealer);
});
afterAll(async () => {
  await other.close();
  await database.close();
});
beforeEach(() => database.query('delete from render_jobs'));
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close();
});

function job(id: string, webhook: object | null = { url: `https://hooks.example/${id}`, secret }) {
  return parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ...(webhook === null ? {} : { webhook }),
  });
}

/** Starts a job and ends it. */
async function ended(id: string, owner = 'me'): Promise<void> {
  await jobs.start(job(id), owner);
  const claimed = await queue.claim(worker);
  if (claimed?.id !== id) throw new Error(`${id} was not taken up`);
  await queue.complete(claimed.run, { key: claimed.run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
}

/** A way out on which every request gets the answer that a function gives; remembers what was sent. */
function receiver(answer: (request: EgressRequest, count: number) => number | Promise<number>) {
  const got: EgressRequest[] = [];
  const egress: Egress = {
    async exchange(request) {
      got.push(request);
      return { status: await answer(request, got.length), headers: {}, url: request.url };
    },
    close: async () => undefined,
  };
  return { got, egress };
}

async function deliver(egress: Egress, node: Database = database): Promise<DeliveryLoop> {
  const loop = await startDeliveries({
    database: node,
    store: openWebhookStore(node, sealer),
    egress,
    async eventOf(id) {
      const row = (await readStatus(node, [id])).get(id);
      return row && JSON.stringify(statusEvent(row, (link, name) => `https://files.example/${link}/${name}`));
    },
    log,
  });
  loops.push(loop);
  return loop;
}

async function deliveryOf(id: string) {
  const found = await readDeliveries(database, id);
  const [delivery] = found?.deliveries ?? [];
  if (delivery === undefined) throw new Error(`${id} has no webhook`);
  return delivery;
}

const untilState = (id: string, state: string) =>
  vi.waitFor(async () => expect(await deliveryOf(id)).toMatchObject({ state }), { timeout: 10_000 });

describe('the end of a job', () => {
  test('is told once, with a signature that its receiver can check', async () => {
    const { got, egress } = receiver(() => 204);
    await deliver(egress);
    await ended('one');
    await untilState('one', 'delivered');
    const [request] = got;
    expect(got).toHaveLength(1);
    expect(request).toMatchObject({ url: 'https://hooks.example/one', method: 'POST', followRedirects: false });
    const { id, event } = await verifyWebhook(
      { headers: request?.headers?.values ?? {}, body: request?.body ?? '' },
      secret,
    );
    expect(event).toMatchObject({ job_id: 'one', status: 'done', output: { url: 'https://files.example/link/a.mp4' } });
    const tried = { at: expect.any(String), milliseconds: expect.any(Number), status: 204, error: null };
    expect(await deliveryOf('one')).toEqual({ id, state: 'delivered', nextTryAt: null, tries: [tried] });
    expect(await database.query('select target from render_webhooks')).toEqual([{ target: null }]);
  });

  test.each([
    ['as failed', (run: string) => queue.fail(run, broken, 10), broken.message],
    ['as lost', () => lose(), workerLost().message],
  ])('is told %s', async (_, end, error) => {
    const { got, egress } = receiver(() => 200);
    await deliver(egress);
    await jobs.start(job('one'), 'me');
    const claimed = await queue.claim(worker);
    await end(claimed?.run ?? '');
    await untilState('one', 'delivered');
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ status: 'failed', error });
  });

  /** The worker is lost so often that the job fails. */
  async function lose(): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await queue.recover(true);
      await queue.claim(worker);
    }
  }

  test('is told of a job that fails as it starts, since too many wait', async () => {
    const { got, egress } = receiver(() => 200);
    await deliver(egress);
    await openJobs(database, sealer, 0).start(job('one'), 'me');
    await untilState('one', 'delivered');
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('capacity'),
    });
  });

  test('is not told before it, and not of jobs without a webhook', async () => {
    await jobs.start(job('one'), 'me');
    await jobs.start(job('two', null), 'me');
    expect(await store.claim([])).toBeUndefined();
    expect(await deliveryOf('one')).toMatchObject({ state: 'waiting', nextTryAt: null, tries: [] });
    expect(await readDeliveries(database, 'two')).toEqual({ owner: 'me', deliveries: [] });
  });

  test('is told of a job that was refused for its owner to nobody', async () => {
    await jobs.start(job('one'), 'me');
    await expect(jobs.start(job('two'), 'me', 1)).rejects.toBeInstanceOf(MillraceError);
    expect(await database.query('select job_id from render_webhooks')).toEqual([{ job_id: 'one' }]);
  });
});

describe('an answer', () => {
  test.each([
    [500, 'did not accept'],
    [404, 'did not accept'],
    [302, 'redirects'],
  ])('%i lets it be tried again', async (status, error) => {
    const { egress } = receiver(() => status);
    await deliver(egress);
    await ended('one');
    await vi.waitFor(async () => expect((await deliveryOf('one')).tries).toHaveLength(1));
    const delivery = await deliveryOf('one');
    expect(delivery).toMatchObject({ state: 'pending', tries: [{ status, error: expect.stringContaining(error) }] });
    const pause = Date.parse(delivery.nextTryAt ?? '') - Date.parse(delivery.tries[0]?.at ?? '');
    expect(pause).toBeGreaterThanOrEqual(1_900);
    expect(pause).toBeLessThan(10_000);
  });

  test('410 ends it', async () => {
    const { egress } = receiver(() => 410);
    await deliver(egress);
    await ended('one');
    await untilState('one', 'given_up');
  });

  test('that never comes is a try as well; a refused address the last one', async () => {
    const unreachable = new MillraceError('connection_error', 'The connection to hooks.example failed.');
    const refused = new MillraceError('address_refused', 'hooks.example is not public.');
    const { egress } = receiver((_, count) => Promise.reject(count === 1 ? unreachable : refused));
    await deliver(egress);
    await ended('one');
    await untilState('one', 'given_up');
    const tries = [unreachable, refused].map(({ message }) =>
      expect.objectContaining({ status: null, error: message }),
    );
    expect((await deliveryOf('one')).tries).toEqual(tries);
  });

  test('of the eighth try is the last', async () => {
    const { egress } = receiver(() => 503);
    await ended('one');
    await database.query('update render_webhooks set attempts = 7');
    await deliver(egress);
    await untilState('one', 'given_up');
  });
});

describe('several nodes', () => {
  test('deliver each event once', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `job-${at}`);
    for (const id of ids) await ended(id, `owner-${id}`);
    const { got, egress } = receiver(() => 200);
    await Promise.all([deliver(egress), deliver(egress, other)]);
    for (const id of ids) await untilState(id, 'delivered');
    expect(got.map(({ url }) => url).sort()).toEqual(ids.map((id) => `https://hooks.example/${id}`).sort());
  });

  test('take up what a node that died had begun, whose note then changes nothing', async () => {
    await ended('one');
    const lost = await store.claim([]);
    if (lost === undefined) throw new Error('nothing was due');
    expect(await store.claim([])).toBeUndefined();
    await database.query(`update render_webhooks set due_at = due_at - interval '30 seconds'`);
    const { egress } = receiver(() => 200);
    await deliver(egress, other);
    await untilState('one', 'delivered');
    const tried = { at: new Date().toISOString(), milliseconds: 1, status: 500, error: 'late' };
    await store.note(lost, tried, { pause: 1 });
    expect(await deliveryOf('one')).toMatchObject({ state: 'delivered', tries: [{ status: 200 }] });
  });

  test('take up at once what a node that stops breaks off', async () => {
    await ended('one');
    const { got, egress } = receiver((request) => {
      const { promise, reject } = Promise.withResolvers<number>();
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
      return promise;
    });
    const loop = await deliver(egress);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    await loop.close();
    expect(await store.claim([])).toMatchObject({ jobId: 'one', attempts: 1 });
  });
});

test('slow receivers of one owner keep nobody else waiting', async () => {
  for (let at = 0; at < 6; at += 1) await ended(`slow-${at}`, 'slow');
  await ended('quick', 'other');
  const held = Promise.withResolvers<number>();
  const { got, egress } = receiver(({ url }) => (url.includes('slow') ? held.promise : 200));
  await deliver(egress);
  await untilState('quick', 'delivered');
  expect(got.filter(({ url }) => url.includes('slow'))).toHaveLength(4);
  held.resolve(200);
  for (let at = 0; at < 6; at += 1) await untilState(`slow-${at}`, 'delivered');
});

describe('a job that is started again', () => {
  test('keeps the webhook that it began with while it lives', async () => {
    await jobs.start(job('one'), 'me');
    const again = await jobs.start(job('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(again).toMatchObject({ fresh: false, message: expect.stringContaining('when it began') });
    const { run } = (await queue.claim(worker)) ?? { run: '' };
    await queue.fail(run, broken, 0);
    expect(await store.claim([])).toMatchObject({ target: { url: 'https://hooks.example/one' } });
  });

  test('tells the newest of its end when it had failed', async () => {
    await jobs.start(job('one'), 'me');
    const { run } = (await queue.claim(worker)) ?? { run: '' };
    await queue.fail(run, broken, 0);
    const { id: before } = await deliveryOf('one');
    await jobs.start(job('one', { url: 'https://elsewhere.example/', secret }), 'me');
    expect(await deliveryOf('one')).toMatchObject({ state: 'waiting', tries: [] });
    expect((await deliveryOf('one')).id).not.toBe(before);
  });
});

test('address and secret are sealed at rest, and workers are not told of them', async () => {
  await jobs.start(job('one'), 'me');
  const claimed = await queue.claim(worker);
  expect(claimed?.job).not.toHaveProperty('webhook');
  const [row] = await database.query<{ target: string }>('select target from render_webhooks');
  expect(sealer.open('webhook', row?.target ?? '')).toEqual({ url: 'https://hooks.example/one', secret });
});

test('what was sealed with a secret that is gone is given up, and says why', async () => {
  await ended('one');
  await database.query(`update render_webhooks set target = 'AAAA'`);
  const { got, egress } = receiver(() => 200);
  await deliver(egress);
  await untilState('one', 'given_up');
  expect(got).toEqual([]);
  expect((await deliveryOf('one')).tries).toMatchObject([{ status: null, error: expect.stringContaining('secret') }]);
});

test('what came of it goes with the job', async () => {
  await ended('one');
  await database.query('delete from render_jobs');
  expect(await database.query('select 1 from render_webhooks')).toEqual([]);
});

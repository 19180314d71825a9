import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { openAccountWebhooks } from './account-webhooks.ts';
import { redeliver } from './redeliver.ts';
import { fakeReceiver, jobOf, openWebhookFixture, secret, worker } from './testing/webhook-fixture.ts';
import { readDeliveries } from './webhook-store.ts';

let fixture: Awaited<ReturnType<typeof openWebhookFixture>>;
beforeAll(async () => {
  fixture = await openWebhookFixture();
});
afterAll(() => fixture.close());
afterEach(() => fixture.clear());

const webhooks = () => openAccountWebhooks(fixture.database, fixture.sealer);
const add = (name: string, owner = 'me') => webhooks().add(owner, { url: `https://hooks.example/${name}`, secret });
const deliveries = async (id: string) => (await readDeliveries(fixture.database, id))?.deliveries ?? [];
const states = async (id: string) => (await deliveries(id)).map(({ state }) => state);
const unknownId = '00000000-0000-4000-8000-00000000000f';

describe('the webhooks of an account', () => {
  test('are listed without secrets, and sealed at rest', async () => {
    const created = await add('a');
    expect(created).toMatchObject({ url: 'https://hooks.example/a', secret });
    const { id, createdAt } = created;
    expect(await webhooks().list('me')).toEqual([{ id, url: 'https://hooks.example/a', createdAt }]);
    expect(await webhooks().list('another')).toEqual([]);
    const rows = JSON.stringify(await fixture.database.query('select * from account_webhooks'));
    for (const hidden of [secret, 'hooks.example']) expect(rows).not.toContain(hidden);
    expect(await webhooks().find('me', id)).toEqual({ url: 'https://hooks.example/a', secret });
  });

  test('are at most ten, also when added concurrently', async () => {
    const added = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => add(String(index))));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(add('more')).rejects.toMatchObject({ code: 'conflict', status: 409 });
    await expect(add('a', 'another')).resolves.toBeDefined();
  });

  test('can be deleted and used only by their account', async () => {
    const { id } = await add('a');
    for (const wrong of [unknownId, 'no ID', '\u0000']) {
      await expect(webhooks().delete('me', wrong)).rejects.toMatchObject({ code: 'not_found' });
      await expect(webhooks().find('me', wrong)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(webhooks().delete('another', id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(webhooks().find('another', id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await webhooks().delete('me', id)).toMatchObject({ id });
    expect(await webhooks().list('me')).toEqual([]);
  });

  test('have no URL if their secret is no longer known', async () => {
    const { id } = await add('a');
    await fixture.database.query(`update account_webhooks set target = 'AAAA'`);
    expect(await webhooks().list('me')).toMatchObject([{ id, url: null }]);
    await expect(webhooks().find('me', id)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the end of a job', () => {
  test('is delivered to its own webhook and to each one of its account', async () => {
    const [a, b] = [await add('a'), await add('b')];
    await add('c', 'another');
    const { requests, egress } = fakeReceiver(({ url }) => (url.endsWith('b') ? 410 : 204));
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await expect
      .poll(() => states('one').then((all) => all.toSorted()))
      .toEqual(['delivered', 'delivered', 'given_up']);
    expect(requests.map(({ url }) => url.slice('https://hooks.example/'.length)).toSorted()).toEqual(['a', 'b', 'one']);
    expect(new Set(requests.map(({ headers }) => headers?.values['webhook-id'])).size).toBe(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    const listed = await deliveries('one');
    expect(listed.map(({ webhookId }) => webhookId)).toEqual([null, ...[a.id, b.id].toSorted()]);
  });

  test('is delivered if the webhook was added while the job ran, or the queue was full', async () => {
    await fixture.jobs.start(jobOf('one', null), 'me');
    const claim = await fixture.queue.claim(worker);
    await add('a');
    await fixture.queue.fail(claim?.run ?? '', new MillraceError('processing_failed', 'it broke'), 0);
    expect(await states('one')).toEqual(['pending']);
    await fixture.database.query(
      `insert into render_jobs (id, owner, state, ttl, expires_at) values ('full', 'me', 'failed', 1, now() + '1 hour')`,
    );
    expect(await states('full')).toEqual(['pending']);
  });

  test('is delivered after its job expired, unless the webhook is deleted', async () => {
    const [a] = [await add('a'), await add('b')];
    await fixture.completeJob('one');
    await fixture.database.query('update render_jobs set expires_at = now()');
    await fixture.database.query('delete from render_jobs');
    await webhooks().delete('me', a.id);
    const { requests, egress } = fakeReceiver(() => 204);
    await fixture.deliver(egress);
    await expect.poll(() => fixture.database.query('select 1 from late_webhooks')).toEqual([]);
    expect(requests.map(({ url }) => url.slice(-2)).toSorted()).toEqual(['/b', 'ne']);
  });

  test('is given up when its webhook is deleted, and no longer delivered', async () => {
    const { id } = await add('a');
    await fixture.database.query(`delete from late_webhooks`);
    await fixture.jobs.start(jobOf('one', null), 'me');
    await fixture.queue.fail((await fixture.queue.claim(worker))?.run ?? '', new MillraceError('other', 'it broke'), 0);
    await webhooks().delete('me', id);
    expect(await deliveries('one')).toMatchObject([{ state: 'given_up', nextTryAt: null }]);
    expect(await fixture.store.claim([])).toBeUndefined();
  });

  test('is not delivered if the owner deletes the job first', async () => {
    await add('a');
    await fixture.completeJob('one');
    expect(await fixture.jobs.deleteFinished('one', 'me')).toMatchObject({ state: 'done' });
    expect(await fixture.store.claim([])).toBeUndefined();
    expect(await fixture.database.query('select file_key from file_deletions')).toHaveLength(1);
  });
});

describe('redelivering', () => {
  const again = (deliveryId: string, jobId = 'one', owner = 'me') =>
    redeliver(fixture.database, { jobId, deliveryId }, owner);

  test('sends the event again with its ID, and lists all attempts', async () => {
    const { requests, egress } = fakeReceiver((_, count) => (count === 1 ? 410 : 204));
    await fixture.deliver(egress);
    await fixture.completeJob('one');
    await fixture.untilState('one', 'given_up');
    const { id } = await fixture.deliveryOf('one');
    expect(await again(id)).toMatchObject({ id, state: 'pending', tries: [{ status: 410 }] });
    await fixture.untilState('one', 'delivered');
    await again(id);
    await expect
      .poll(async () => (await fixture.deliveryOf('one')).tries.map(({ status }) => status))
      .toEqual([410, 204, 204]);
    const ids = requests.map(({ headers }) => headers?.values['webhook-id']);
    expect(ids).toEqual([id, id, id]);
    expect(requests.at(-1)?.body).toBe(requests[0]?.body);
  });

  test('starts a new schedule of attempts, and lists the last 40 of the earlier ones', async () => {
    await fixture.completeJob('one');
    const { id } = await fixture.deliveryOf('one');
    const attempts = JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ status: index })));
    await fixture.database.query(
      `update render_webhooks set state = 'given_up', attempts = 8, ended_at = now() - interval '2 days', tries = $1`,
      [attempts],
    );
    const { tries } = await again(id);
    expect(tries.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, (_, index) => index + 10));
    const claimed = await fixture.store.claim([]);
    expect(claimed?.tries).toBe(0);
    expect(claimed?.remainingMs).toBeGreaterThan(86_000_000);
  });

  test('is refused for an event that is pending, unknown, of another owner, or without its webhook', async () => {
    await fixture.jobs.start(jobOf('one'), 'me');
    const { id } = await fixture.deliveryOf('one');
    await expect(again(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/not ended/) });
    const { run = '' } = (await fixture.queue.claim(worker)) ?? {};
    await fixture.queue.fail(run, new MillraceError('other', 'it broke'), 0);
    await expect(again(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/pending/) });
    for (const wrong of [unknownId, 'no ID']) await expect(again(wrong)).rejects.toMatchObject({ code: 'not_found' });
    await expect(again(id, 'none')).rejects.toMatchObject({ code: 'not_found' });
    await expect(again(id, 'one', 'another')).rejects.toMatchObject({ code: 'forbidden' });
    await fixture.database.query(`update render_webhooks set state = 'delivered', target = null`);
    await expect(again(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/no longer/) });
  });
});

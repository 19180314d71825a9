import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { fakeReceiver, openWebhookFixture } from './testing/webhook-fixture.ts';

const MIB = 1024 * 1024;

let fixture: Awaited<ReturnType<typeof openWebhookFixture>>;
beforeAll(async () => {
  fixture = await openWebhookFixture();
});
afterAll(() => fixture.close());
afterEach(() => fixture.clear());

/** Stores an event of an owner that is pending for another day. */
async function storeEvent(owner: string, bytes: number): Promise<void> {
  await fixture.database.query(
    `insert into late_webhooks (job_id, owner, delivery_id, target, event, due_at, attempts)
     values ('earlier', $1, gen_random_uuid(), 'sealed', repeat('x', $2), now() + interval '1 day', 1)`,
    [owner, bytes],
  );
}

const untilTried = async (id: string) =>
  await vi.waitFor(
    async () => {
      const delivery = await fixture.deliveryOf(id);
      expect(delivery.tries).toHaveLength(1);
      return delivery;
    },
    { timeout: 60_000 },
  );

test('an event is tried once if the pending events of its owner leave no room for it, and others are retried', async () => {
  await storeEvent('full', 16 * MIB);
  await storeEvent('nearly full', 16 * MIB - 10_000);
  for (const owner of ['full', 'nearly full', 'other']) await fixture.completeJob(owner.replace(' ', '-'), owner);
  const { requests, egress } = fakeReceiver(() => 503);
  await fixture.deliver(egress);
  expect(await untilTried('full')).toMatchObject({
    state: 'given_up',
    tries: [{ status: 503, error: expect.stringMatching(/did not accept the event\. It is not retried, .*16 MiB/) }],
  });
  expect(await untilTried('nearly-full')).toMatchObject({ state: 'pending' });
  expect(await untilTried('other')).toMatchObject({ state: 'pending' });
  expect(requests).toHaveLength(3);
});

test('an event that is stored is retried, however many others are pending', async () => {
  await fixture.completeJob('one');
  const first = fakeReceiver(() => 503);
  const loop = await fixture.deliver(first.egress);
  await untilTried('one');
  await loop.close();
  await storeEvent('me', 16 * MIB);
  await fixture.database.query(`update render_webhooks set due_at = now()`);
  await fixture.deliver(fakeReceiver(() => 503).egress);
  await vi.waitFor(async () => expect((await fixture.deliveryOf('one')).tries).toHaveLength(2), { timeout: 60_000 });
  expect(await fixture.deliveryOf('one')).toMatchObject({ state: 'pending' });
});

test('events of deleted jobs that were not tried are kept while there is room for them', async () => {
  await storeEvent('full', 17 * MIB);
  for (const owner of ['full', 'other']) await fixture.completeJob(owner, owner);
  await fixture.database.query('delete from render_jobs');
  const kept = await fixture.database.query('select owner, job_id from late_webhooks order by owner');
  expect(kept).toEqual([
    { owner: 'full', job_id: 'earlier' },
    { owner: 'other', job_id: 'other' },
  ]);
});

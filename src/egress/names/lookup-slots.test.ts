import { expect, test } from 'vitest';
import { createLookupSlots, siteOf } from './lookup-slots.ts';

const never = new AbortController().signal;

/** Acquires a slot, and records in `order` when it was granted. */
function acquire(slots: ReturnType<typeof createLookupSlots>, site: string, order: string[], label = site) {
  return slots.acquire(site, never).then((release) => {
    order.push(label);
    return release;
  });
}

test.for([
  ['a.b.evil.example', 'evil.example'],
  ['evil.example', 'evil.example'],
  ['a.evil.co.uk', 'evil.co.uk'],
  ['evil.com.br', 'evil.com.br'],
  ['com.br', 'com.br'],
  ['store', 'store'],
])('the site of %s is %s', ([name = '', site]) => {
  expect(siteOf(name)).toBe(site);
});

test('a site waits for its own slots only', async () => {
  const slots = createLookupSlots({ total: 10, perSite: 2 });
  const order: string[] = [];
  const release = await acquire(slots, 'slow', order);
  await acquire(slots, 'slow', order);
  const third = acquire(slots, 'slow', order, 'third');
  await acquire(slots, 'other', order);
  expect(order).toEqual(['slow', 'slow', 'other']);
  release();
  await third;
});

test('if all slots are taken, the next one goes to the site that has the fewest', async () => {
  const slots = createLookupSlots({ total: 3, perSite: 3 });
  const order: string[] = [];
  const releases = await Promise.all([1, 2, 3].map(() => acquire(slots, 'slow', [])));
  const waiting = [
    acquire(slots, 'slow', order),
    acquire(slots, 'a', order, 'a1'),
    acquire(slots, 'a', order, 'a2'),
    acquire(slots, 'b', order),
  ];
  for (const release of releases) release();
  const [, a1] = await Promise.all([waiting[3], waiting[1]]);
  // Sites with equally many slots take turns.
  a1?.();
  await waiting[2];
  expect(order.slice(0, 2)).toEqual(['a1', 'b']);
});

test('if too many lookups wait, the newest of the site with the most of them fails', async () => {
  const slots = createLookupSlots({ total: 1, perSite: 1, maxWaiting: 3 });
  const order: string[] = [];
  const release = await acquire(slots, 'slow', order);
  const waiting = ['1', '2', '3'].map((label) => acquire(slots, 'slow', order, label));
  const other = acquire(slots, 'other', order);
  await expect(waiting[2]).rejects.toThrow('too many lookups are waiting');
  await expect(acquire(slots, 'slow', order)).rejects.toThrow('too many lookups are waiting');
  release();
  (await waiting[0])?.();
  (await other)();
  (await waiting[1])?.();
  expect(order).toEqual(['slow', '1', 'other', '2']);
});

test('a lookup that is aborted no longer waits', async () => {
  const slots = createLookupSlots({ total: 1, perSite: 1, maxWaiting: 1 });
  const release = await slots.acquire('slow', never);
  const controller = new AbortController();
  const aborted = slots.acquire('slow', controller.signal);
  controller.abort(new Error('disconnected'));
  await expect(aborted).rejects.toThrow('disconnected');
  await expect(slots.acquire('slow', controller.signal)).rejects.toThrow('disconnected');
  const next = slots.acquire('slow', never);
  release();
  (await next)();
  (await slots.acquire('other', never))();
});

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDecoderSlots } from './decoder-slots.ts';

const never = new AbortController().signal;

/** Requests slots for jobs. Returns which requests have one, and the functions that leave them. */
function request(names: readonly string[], limits = { job: 2, all: 3 }, signals: readonly AbortSignal[] = []) {
  const slots = createDecoderSlots(limits);
  const jobs = new Map(names.map((name) => [name, {}]));
  const held = new Map<number, () => void>();
  const requests = names.map(async (name, at) => {
    held.set(at, await slots.acquire(jobs.get(name) ?? {}, signals[at] ?? never));
  });
  const leave = (at: number) => {
    held.get(at)?.();
    held.delete(at);
  };
  return { requests, leave, held: () => [...held.keys()].sort() };
}

test('slots are limited for each job and for all, and go to the download that has waited the longest', async () => {
  const { leave, held } = request(['a', 'a', 'a', 'b', 'c', 'b']);
  await setImmediate();
  expect(held()).toEqual([0, 1, 3]);
  leave(3);
  await setImmediate();
  expect(held()).toEqual([0, 1, 4]);
  leave(0);
  await setImmediate();
  expect(held()).toEqual([1, 2, 4]);
  for (const at of [1, 2, 4]) leave(at);
  await setImmediate();
  expect(held()).toEqual([5]);
});

test('a download that ends while it waits gives up its place', async () => {
  const abort = new AbortController();
  const { requests, leave, held } = request(['a', 'b', 'c'], { job: 1, all: 1 }, [never, abort.signal]);
  await setImmediate();
  abort.abort(new Error('over'));
  await expect(requests[1]).rejects.toThrow('over');
  leave(0);
  await setImmediate();
  expect(held()).toEqual([2]);
});

import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

const never = new AbortController().signal;

test('runs a limited number of calls concurrently, and the others in order', async () => {
  const limit = createConcurrencyLimit(2);
  const starts: number[] = [];
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const runs = works.map(({ promise }, index) =>
    limit.run(() => {
      starts.push(index);
      return promise;
    }, never),
  );
  await expect.poll(() => starts).toEqual([0, 1]);
  works[1]?.resolve();
  await expect.poll(() => starts).toEqual([0, 1, 2]);
  works[0]?.resolve();
  works[2]?.resolve();
  works[3]?.resolve();
  await Promise.all(runs);
  expect(starts).toEqual([0, 1, 2, 3]);
});

test('frees the slot of a call that fails, and gives none to a call that is aborted while it waits', async () => {
  const limit = createConcurrencyLimit(1);
  const first = Promise.withResolvers<void>();
  const failing = limit.run(() => first.promise, never);
  const abort = new AbortController();
  const aborted = limit.run(async () => 'never', abort.signal);
  const last = limit.run(async () => 'done', never);
  abort.abort(new Error('called off'));
  await expect(aborted).rejects.toThrow('called off');
  first.reject(new Error('failed'));
  await expect(failing).rejects.toThrow('failed');
  expect(await last).toBe('done');
});

test('runs a limited number of calls for each owner, so that one owner does not delay the others', async () => {
  const limit = createConcurrencyLimit(3, 2);
  const hanging = Promise.withResolvers<void>();
  const starts: string[] = [];
  const start = (name: string, owner: string, end: Promise<void>) =>
    limit.run(
      () => {
        starts.push(name);
        return end;
      },
      never,
      owner,
    );
  const greedy = [1, 2, 3, 4].map((at) => start(`greedy ${at}`, 'greedy', hanging.promise));
  for (const name of ['first', 'second']) await start(name, 'modest', Promise.resolve());
  expect(starts).toEqual(['greedy 1', 'greedy 2', 'first', 'second']);
  hanging.resolve();
  await Promise.all(greedy);
  expect(starts).toHaveLength(6);
});

test('frees a slot that was acquired when its holder leaves it', async () => {
  const limit = createConcurrencyLimit(2, 1);
  const leave = await limit.acquire(never, 'one');
  const second = limit.acquire(never, 'one');
  const leaveOther = await limit.acquire(never, 'other');
  const third = limit.acquire(never, 'third');
  leave();
  (await second)();
  leaveOther();
  (await third)();
});

import { expect, test } from 'vitest';
import { createLanes } from './lanes.ts';

const never = new AbortController().signal;

test('runs a limited number of calls at once, the others in order', async () => {
  const lanes = createLanes(2);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const runs = works.map(({ promise }, index) =>
    lanes.run(() => {
      begun.push(index);
      return promise;
    }, never),
  );
  await expect.poll(() => begun).toEqual([0, 1]);
  works[1]?.resolve();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  works[0]?.resolve();
  works[2]?.resolve();
  works[3]?.resolve();
  await Promise.all(runs);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('a call that fails frees its lane, and one that is aborted while it waits takes none', async () => {
  const lanes = createLanes(1);
  const first = Promise.withResolvers<void>();
  const failing = lanes.run(() => first.promise, never);
  const abort = new AbortController();
  const aborted = lanes.run(async () => 'never', abort.signal);
  const last = lanes.run(async () => 'done', never);
  abort.abort(new Error('called off'));
  await expect(aborted).rejects.toThrow('called off');
  first.reject(new Error('failed'));
  await expect(failing).rejects.toThrow('failed');
  expect(await last).toBe('done');
});

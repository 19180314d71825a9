import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

test('runs at most the maximum at a time, in order, and passes over aborted actions', async () => {
  const limit = createLimiter(2);
  const { signal } = new AbortController();
  const started: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const results = ends.map(({ promise }, index) =>
    limit(
      async () => {
        started.push(index);
        await promise;
        if (index === 0) throw new Error('failed');
        return index;
      },
      index === 2 ? AbortSignal.abort(new Error('aborted')) : signal,
    ),
  );
  const settled = Promise.allSettled(results);
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  for (const { resolve } of ends) resolve();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(started).toEqual([0, 1, 3]);
});

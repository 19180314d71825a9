import { expect, test } from 'vitest';
import { loadOnce } from './load-once.ts';

test('loads at the first call, again after a failure, and never after a success', async () => {
  const outcomes = [Promise.reject(new Error('too many open files')), Promise.resolve('loaded')];
  let loads = 0;
  const read = loadOnce(async () => {
    const outcome = outcomes[loads];
    loads += 1;
    return await outcome;
  });
  expect(loads).toBe(0);
  await expect(Promise.all([read(), read()])).rejects.toThrow('too many open files');
  expect(loads).toBe(1);
  expect(await Promise.all([read(), read()])).toEqual(['loaded', 'loaded']);
  expect(await read()).toBe('loaded');
  expect(loads).toBe(2);
});

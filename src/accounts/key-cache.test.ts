import { expect, test } from 'vitest';
import { createKeyCache } from './key-cache.ts';

/** A look-up that counts how often it is asked. */
function counting(result: string | undefined) {
  const lookups = { times: 0 };
  const find = async () => {
    lookups.times += 1;
    return result;
  };
  return { lookups, find };
}

test('asks once, for all who ask at the same time and for those who come soon after', async () => {
  const cache = createKeyCache<string>();
  const { lookups, find } = counting('found');
  expect(await Promise.all([cache.get('a', find), cache.get('a', find)])).toEqual(['found', 'found']);
  await cache.get('a', find);
  expect(lookups.times).toBe(1);
});

test('asks again after its time', async () => {
  const cache = createKeyCache<string>(0);
  const { lookups, find } = counting('found');
  await cache.get('a', find);
  await cache.get('a', find);
  expect(lookups.times).toBe(2);
});

test('remembers neither what was not found nor what failed', async () => {
  const cache = createKeyCache<string>();
  const { lookups, find } = counting(undefined);
  await cache.get('a', find);
  await cache.get('a', find);
  expect(lookups.times).toBe(2);
  await expect(cache.get('b', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await cache.get('b', async () => 'found')).toBe('found');
});

test('what is looked up while it is cleared is not remembered', async () => {
  const cache = createKeyCache<string>();
  const late = Promise.withResolvers<string>();
  const first = cache.get('a', () => late.promise);
  cache.clear();
  late.resolve('old');
  expect(await first).toBe('old');
  expect(await cache.get('a', async () => 'new')).toBe('new');
});

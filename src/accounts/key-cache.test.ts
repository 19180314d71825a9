import { expect, test } from 'vitest';
import { createKeyCache } from './key-cache.ts';

/** Creates a lookup that counts its calls. */
function counting(result: string | undefined) {
  const lookups = { times: 0 };
  const find = async () => {
    lookups.times += 1;
    return result;
  };
  return { lookups, find };
}

test('looks a key up once for concurrent and subsequent callers', async () => {
  const cache = createKeyCache<string>();
  const { lookups, find } = counting('found');
  expect(await Promise.all([cache.get('a', find), cache.get('a', find)])).toEqual(['found', 'found']);
  await cache.get('a', find);
  expect(lookups.times).toBe(1);
});

test('looks a key up again when its entry expires', async () => {
  const cache = createKeyCache<string>(0);
  const { lookups, find } = counting('found');
  await cache.get('a', find);
  await cache.get('a', find);
  expect(lookups.times).toBe(2);
});

test('does not cache missing values or failures', async () => {
  const cache = createKeyCache<string>();
  const { lookups, find } = counting(undefined);
  await cache.get('a', find);
  await cache.get('a', find);
  expect(lookups.times).toBe(2);
  await expect(cache.get('b', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await cache.get('b', async () => 'found')).toBe('found');
});

test('does not cache a lookup that was running when the cache was cleared', async () => {
  const cache = createKeyCache<string>();
  const late = Promise.withResolvers<string>();
  const first = cache.get('a', () => late.promise);
  cache.clear();
  late.resolve('old');
  expect(await first).toBe('old');
  expect(await cache.get('a', async () => 'new')).toBe('new');
});

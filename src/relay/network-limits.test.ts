import { expect, test } from 'vitest';
import { createConnectionLimit } from './connection-limit.ts';
import { limitNetworks } from './network-limits.ts';

test('connections of visitors count for their wider networks, and are released there, too', async () => {
  const limit = limitNetworks(1, (most) => createConnectionLimit(most));
  const open = async (owner: string) => await limit.acquire(owner).catch(() => undefined);
  const openAll = async (owners: readonly string[]) => await Promise.all(owners.map(open));
  const visitors = (middle: string) => Array.from({ length: 10 }, (_, index) => `a/wide.${middle}.${index}`);

  const first = await openAll(visitors('one'));
  expect(first.filter((release) => release !== undefined)).toHaveLength(4);
  for (const middle of ['two', 'three', 'four']) await openAll(visitors(middle));
  expect(await openAll(visitors('five'))).toEqual(Array(10).fill(undefined));
  expect(await open('a/other.one.0')).toBeDefined();
  expect([await open('a'), await open('a')]).toEqual([expect.any(Function), undefined]);

  const release = first.find((each) => each !== undefined);
  release?.();
  release?.();
  expect((await openAll(visitors('five'))).filter((each) => each !== undefined)).toHaveLength(1);
  await limit.close();
});

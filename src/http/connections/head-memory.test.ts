import { expect, test } from 'vitest';
import { createClientMemory } from './client-memory.ts';
import { createHeadMemory } from './head-memory.ts';

const KIB = 1024;

test('only long heads count, up to the length of the longest head with trailers, until they are cleared', () => {
  const budget = createClientMemory(2048 * KIB);
  const head = createHeadMemory(budget.open(['a']));
  const heldAfter = (bytes: number) => {
    expect(head.add(bytes)).toBeUndefined();
    return budget.used / KIB;
  };
  expect([4 * KIB, 4 * KIB, 16 * KIB].map(heldAfter)).toEqual([0, 24, 72]);
  head.clear();
  expect([4 * KIB, 28 * KIB, 1024 * KIB, 1].map(heldAfter)).toEqual([0, 96, 384, 384]);
  head.clear();
  expect(budget.used).toBe(0);
});

test('a head beyond the budget gets 429 if its client uses its share, and 503 if all do', () => {
  const budget = createClientMemory(80 * KIB);
  const statusOf = (client: string) => createHeadMemory(budget.open([client])).add(6 * KIB)?.status;
  expect(['a', 'a', 'b', 'c', 'd', 'e'].map(statusOf)).toEqual([undefined, 429, undefined, undefined, undefined, 503]);
});

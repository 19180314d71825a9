import { expect, test } from 'vitest';
import { createHeldMemory } from '../held-memory.ts';
import { createIndexBytes } from './index-bytes.ts';

const MIB = 1024 * 1024;

test('an index that the memory has no place for is declined before it is fetched', async () => {
  const [job, fetched] = [createHeldMemory(8 * MIB), [] as number[]];
  const { read, blocks } = createIndexBytes(Buffer.alloc(1_000), 100 * MIB, job, async ({ from, end }) => {
    fetched.push(end - from);
  });
  await read({ from: 10 * MIB, end: 15 * MIB });
  await expect(read({ from: 20 * MIB, end: 25 * MIB })).rejects.toThrow('too large for the memory that is left');
  expect([fetched.length, blocks.length, job.used >= 5 * MIB]).toEqual([1, 2, true]);
});

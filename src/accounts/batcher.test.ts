import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatcher } from './batcher.ts';

test('a batcher processes one batch at a time and collects later items for the next one', async () => {
  const batches: number[][] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let running = 0;
  const started = Promise.withResolvers<void>();
  const batcher = createBatcher<number>(async (items) => {
    running += 1;
    expect(running).toBe(1);
    started.resolve();
    await gates[batches.push([...items]) - 1]?.promise;
    running -= 1;
  });
  for (const item of [1, 2, 3]) batcher.add(item);
  await started.promise;
  for (const item of [4, 5]) batcher.add(item);
  expect(batches).toEqual([[1, 2, 3]]);
  for (const gate of gates) gate.resolve();
  await batcher.close();
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('closing a batcher waits for the items that were added, if any', async () => {
  const done: string[] = [];
  const batcher = createBatcher<string>(async (items) => {
    done.push(...items);
  });
  await batcher.close();
  batcher.add('last');
  await batcher.close();
  expect(done).toEqual(['last']);
});

test('the next batch waits as long as the previous one took, at most 4 ms', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const startedAt: number[] = [];
  const start = performance.now();
  const took = [1, 9];
  const batcher = createBatcher<number>(async ([batch = 0]) => {
    startedAt.push(performance.now() - start);
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, took[batch] ?? 0);
    await promise;
    if (batch < took.length) batcher.add(batch + 1);
  });
  batcher.add(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(startedAt).toEqual([0, 2, 15]);
});

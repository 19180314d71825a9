import { expect, test } from 'vitest';
import { createGatherer } from './gather.ts';

test('works on what came at once together, and on what comes meanwhile next, one batch at a time', async () => {
  const batches: number[][] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let running = 0;
  const started = Promise.withResolvers<void>();
  const gatherer = createGatherer<number>(async (items) => {
    running += 1;
    expect(running).toBe(1);
    started.resolve();
    await gates[batches.push([...items]) - 1]?.promise;
    running -= 1;
  });
  for (const item of [1, 2, 3]) gatherer.add(item);
  await started.promise;
  for (const item of [4, 5]) gatherer.add(item);
  expect(batches).toEqual([[1, 2, 3]]);
  for (const gate of gates) gate.resolve();
  await gatherer.close();
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('closing waits for what was added, and for nothing else', async () => {
  const done: string[] = [];
  const gatherer = createGatherer<string>(async (items) => {
    done.push(...items);
  });
  await gatherer.close();
  gatherer.add('last');
  await gatherer.close();
  expect(done).toEqual(['last']);
});

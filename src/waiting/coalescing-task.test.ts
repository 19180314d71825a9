import { expect, test } from 'vitest';
import { createCoalescingTask } from './coalescing-task.ts';

test('runs once more after the current run, however often it is requested in the meantime', async () => {
  const turns: PromiseWithResolvers<void>[] = [];
  const task = createCoalescingTask(
    () => {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      return turn.promise;
    },
    () => undefined,
  );
  for (let times = 0; times < 5; times += 1) task.request();
  expect(turns).toHaveLength(1);
  turns[0]?.resolve();
  await expect.poll(() => turns.length).toBe(2);
  turns[1]?.resolve();
  await task.settled();
  expect(turns).toHaveLength(2);
});

test('reports a failure, and runs again when it is requested again', async () => {
  const errors: unknown[] = [];
  let times = 0;
  const task = createCoalescingTask(
    async () => {
      times += 1;
      throw new Error(`time ${times}`);
    },
    (error) => errors.push(error),
  );
  for (const count of [1, 2]) {
    task.request();
    await task.settled();
    expect(errors).toHaveLength(count);
  }
});

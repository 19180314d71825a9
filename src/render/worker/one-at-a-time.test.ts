import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('work that is asked for while it is under way is done once more, however often', async () => {
  const turns: PromiseWithResolvers<void>[] = [];
  const work = oneAtATime(
    () => {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      return turn.promise;
    },
    () => undefined,
  );
  for (let times = 0; times < 5; times += 1) work.ask();
  expect(turns).toHaveLength(1);
  turns[0]?.resolve();
  await expect.poll(() => turns.length).toBe(2);
  turns[1]?.resolve();
  await work.settled();
  expect(turns).toHaveLength(2);
});

test('what fails is told, and done again when it is asked for again', async () => {
  const told: unknown[] = [];
  let times = 0;
  const work = oneAtATime(
    async () => {
      times += 1;
      throw new Error(`time ${times}`);
    },
    (error) => told.push(error),
  );
  for (const expected of [1, 2]) {
    work.ask();
    await work.settled();
    expect(told).toHaveLength(expected);
  }
});

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runInOrder } from './run-in-order.ts';

/** Yields the numbers from 1 to `count`, and records how many were read and whether the iteration was ended. */
function numbers(count: number) {
  const state = { read: 0, closed: false };
  async function* generate() {
    try {
      for (let number = 1; number <= count; number += 1) {
        state.read = number;
        yield number;
      }
    } finally {
      state.closed = true;
    }
  }
  return { items: generate(), state };
}

const { signal } = new AbortController();

test('runs as many at once as allowed, and reads no more items than it runs', async () => {
  const { items, state } = numbers(9);
  let running = 0;
  let most = 0;
  await runInOrder(items, 3, signal, async (number) => {
    running += 1;
    most = Math.max(most, running);
    expect(state.read).toBeLessThanOrEqual(number + 3);
    await setImmediate();
    running -= 1;
  });
  expect([most, running, state.read]).toEqual([3, 0, 9]);
});

test('runs a part of the work in the order of the items, even if some fail or have no such part', async () => {
  const order: number[] = [];
  await runInOrder(numbers(8).items, 4, signal, async (number, inTurn) => {
    for (let delay = 0; delay < 10 - number; delay += 1) await setImmediate();
    if (number === 2) return;
    const part = inTurn(async () => {
      if (number === 3) throw new Error('no');
      order.push(number);
    });
    await part.catch(() => undefined);
  });
  expect(order).toEqual([1, 4, 5, 6, 7, 8]);
});

test('starts nothing after an error, and waits for what runs', async () => {
  const { items, state } = numbers(9);
  const ended: number[] = [];
  const run = runInOrder(items, 2, signal, async (number) => {
    await setImmediate();
    if (number === 2) throw new Error('broken');
    await setImmediate();
    ended.push(number);
  });
  await expect(run).rejects.toThrow('broken');
  expect([ended, state.closed]).toEqual([[1], true]);
});

test('starts nothing after an abort', async () => {
  const controller = new AbortController();
  const { items, state } = numbers(9);
  const started: number[] = [];
  await runInOrder(items, 2, controller.signal, async (number) => {
    started.push(number);
    controller.abort();
  });
  expect(started.length).toBeLessThanOrEqual(2);
  expect(state.closed).toBe(true);
});

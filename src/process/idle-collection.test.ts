import { expect, test } from 'vitest';
import { createIdleCollection } from './idle-collection.ts';

const MB = 1024 * 1024;

/** A process whose collections leave this much memory in use. */
function processOf(alive: number) {
  const state = { alive, used: alive, busy: 0, collections: 0 };
  const check = createIdleCollection({
    memoryInUse: () => state.used,
    loopUtilization: () => state.busy,
    async collect() {
      state.collections += 1;
      state.used = state.alive;
    },
  });
  return { state, check };
}

test('the idle collection runs once when the process becomes idle', async () => {
  const { state, check } = processOf(40 * MB);
  Object.assign(state, { used: 200 * MB, busy: 0.5 });
  await check();
  expect(state.collections).toBe(0);
  state.busy = 0.01;
  await check();
  await check();
  expect([state.collections, state.used]).toEqual([1, 40 * MB]);
});

test('the idle collection leaves small amounts of garbage to V8', async () => {
  const { state, check } = processOf(40 * MB);
  state.used = 80 * MB;
  await check();
  expect(state.collections).toBe(0);
});

test('the idle collection frees memory that was live at an earlier collection', async () => {
  const { state, check } = processOf(40 * MB);
  state.alive = 240 * MB;
  state.used = 300 * MB;
  await check();
  expect([state.collections, state.used]).toEqual([1, 240 * MB]);
  state.alive = 40 * MB;
  for (let count = 0; count < 12; count += 1) await check();
  expect([state.collections, state.used]).toEqual([2, 40 * MB]);
});

test('the idle collection runs less and less often when nothing is freed', async () => {
  const { state, check } = processOf(40 * MB);
  state.alive = 240 * MB;
  state.used = 240 * MB;
  for (let count = 0; count < 6 * 60 * 24; count += 1) await check();
  // Once every ten minutes for a day, and a few more at the start.
  expect(state.collections).toBeLessThan(6 * 24 + 5);
  expect(state.collections).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { createIdleCollection } from './idle-collection.ts';

const MB = 1024 * 1024;

/** A process whose collections leave so much. */
function processOf(alive: number) {
  const state = { used: alive, busy: 0, collections: 0 };
  const check = createIdleCollection({
    used: () => state.used,
    busy: () => state.busy,
    collect() {
      state.collections += 1;
      state.used = alive;
    },
  });
  return { state, check };
}

test('garbage is collected when the process becomes idle, once', () => {
  const { state, check } = processOf(40 * MB);
  Object.assign(state, { used: 200 * MB, busy: 0.5 });
  check();
  expect(state.collections).toBe(0);
  state.busy = 0.01;
  check();
  check();
  expect([state.collections, state.used]).toEqual([1, 40 * MB]);
});

test('little garbage is left to V8', () => {
  const { state, check } = processOf(40 * MB);
  state.used = 80 * MB;
  check();
  expect(state.collections).toBe(0);
});

test('what stays alive is not collected again and again', () => {
  const { state, check } = processOf(300 * MB);
  for (let count = 0; count < 10; count += 1) {
    state.used += MB;
    check();
  }
  expect(state.collections).toBe(0);
  state.used = 50 * MB;
  check();
  state.used = 120 * MB;
  check();
  expect(state.collections).toBe(1);
});

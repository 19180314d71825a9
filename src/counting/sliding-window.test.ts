import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSlidingWindow } from './sliding-window.ts';

const MINUTE = 60_000;
const start = Date.UTC(2026, 10, 26, 14, 5);
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a window of three minutes. */
function open() {
  const window = createSlidingWindow(MINUTE, 3, () => ({ events: 0 }));
  return {
    count(time?: number): boolean {
      const tally = window.at(time);
      if (tally !== undefined) tally.events += 1;
      return tally !== undefined;
    },
    counts: () => window.intervals().map(({ from, events }) => [(from - start) / MINUTE, events]),
  };
}

describe('a sliding window', () => {
  test('counts events by intervals, and forgets old ones', () => {
    const { count, counts } = open();
    count();
    count();
    vi.advanceTimersByTime(2 * MINUTE);
    count();
    expect(counts()).toEqual([
      [0, 2],
      [2, 1],
    ]);
    vi.advanceTimersByTime(MINUTE);
    expect(counts()).toEqual([[2, 1]]);
  });

  test('counts earlier events in their intervals, unless they are too old', () => {
    const { count, counts } = open();
    count();
    expect([count(start - MINUTE), count(start - 3 * MINUTE)]).toEqual([true, false]);
    expect(counts()).toEqual([
      [-1, 1],
      [0, 1],
    ]);
  });

  test('counts events of the future as events of now', () => {
    const { count, counts } = open();
    count(start + 5 * MINUTE);
    expect(counts()).toEqual([[0, 1]]);
  });
});

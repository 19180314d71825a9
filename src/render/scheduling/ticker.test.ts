import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTicker } from './ticker.ts';

describe('a ticker', () => {
  let parts: { part: number; at: number }[];
  let startedAt: number;
  /** Duration of each part in milliseconds. */
  let cost: number;
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    parts = [];
    cost = 0;
    startedAt = performance.now();
    const work = async (part: number) => {
      parts.push({ part, at: performance.now() - startedAt });
      if (cost > 0) await new Promise((resolve) => setTimeout(resolve, cost));
    };
    stop = startTicker(1_000, 4, work).stop;
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  test('runs its parts in turn, evenly spread', async () => {
    await vi.advanceTimersByTimeAsync(2_000);
    expect(parts.map(({ part }) => part)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    expect(parts.map(({ at }) => at)).toEqual([250, 500, 750, 1000, 1250, 1500, 1750, 2000]);
  });

  test('keeps to its schedule for hours, however long a part takes', async () => {
    cost = 100;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(parts.length).toBe(4 * 3_600);
    expect(parts.at(-1)).toEqual({ part: 3, at: 3_600_000 });
  });

  test('catches up immediately after a late part, within the millisecond that a timer takes', async () => {
    cost = 600;
    await vi.advanceTimersByTimeAsync(300);
    cost = 0;
    await vi.advanceTimersByTimeAsync(900);
    expect(parts.map(({ part, at }) => [part, Math.round(at)])).toEqual([
      [0, 250],
      [1, 851],
      [2, 852],
      [3, 1000],
    ]);
  });

  test('never overlaps parts, and skips periods that it cannot catch up with', async () => {
    cost = 1_700;
    await vi.advanceTimersByTimeAsync(20_000);
    const starts = parts.map(({ at }) => at);
    for (const [index, at] of starts.slice(1).entries())
      expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(1_700);
    expect(new Set(parts.map(({ part }) => part))).toEqual(new Set([0, 1, 2, 3]));
    cost = 0;
    const before = parts.length;
    await vi.advanceTimersByTimeAsync(4_000);
    // Skipped periods do not follow in a burst.
    expect(parts.length - before).toBeLessThanOrEqual(4 * 4 + 4);
  });

  test('starts no further part once it is stopped', async () => {
    await vi.advanceTimersByTimeAsync(600);
    stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(parts.length).toBe(2);
  });
});

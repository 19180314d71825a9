import { afterEach, describe, expect, test, vi } from 'vitest';
import { startTimeLimit, type TimeLimit } from './time-limit.ts';

const limits: TimeLimit[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const limit of limits.splice(0)) limit.end();
});

function start(milliseconds: number): TimeLimit {
  const limit = startTimeLimit(milliseconds);
  limits.push(limit);
  return limit;
}

/** Keeps this process from doing anything else. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Lets time pass, although this process does nothing meanwhile. */
const stall = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('a time limit', () => {
  test('aborts its signal when the time is up', async () => {
    const limit = start(50);
    expect(limit.left()).toBeGreaterThan(0);
    await aborted(limit.signal);
    expect([limit.left(), (limit.signal.reason as DOMException).name]).toEqual([0, 'TimeoutError']);
  });

  test('does not count the time in which the process could not run', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const limit = start(10_000);
    const before = limit.left();
    stall(300);
    expect(before - limit.left()).toBeGreaterThanOrEqual(149);
    expect(before - limit.left()).toBeLessThan(250);
  });

  test('ends after twice its length, however little the process could run', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const limit = start(100);
    stall(150);
    expect(limit.left()).toBeGreaterThan(0);
    stall(100);
    expect(limit.left()).toBe(0);
  });

  test('lets the process handle what has arrived during a stall before it is over', async () => {
    const limit = start(2_000);
    block(2_100);
    const first = await Promise.race([
      aborted(limit.signal).then(() => 'over'),
      new Promise((resolve) => setImmediate(resolve, 'arrived')),
    ]);
    expect(first).toBe('arrived');
    await aborted(limit.signal);
  });

  test('does not depend on others, such as one whose timers never fire again', async () => {
    vi.useFakeTimers();
    start(1_000);
    vi.useRealTimers();
    vi.useFakeTimers();
    try {
      const limit = start(1_000);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(limit.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that has ended never aborts its signal', async () => {
    const limit = start(20);
    limit.end();
    await aborted(start(60).signal);
    expect(limit.signal.aborted).toBe(false);
  });
});

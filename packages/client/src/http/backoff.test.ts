import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backoff, pause } from './backoff.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('pauses until the time is over or a signal aborts', async () => {
  const controller = new AbortController();
  const paused = pause(100, controller.signal);
  vi.advanceTimersByTime(100);
  await paused;
  const aborted = pause(100, controller.signal);
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  await expect(pause(100, controller.signal)).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

it('backs off longer with each attempt, within bounds', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
      const wait = backoff(attempt, () => chance);
      expect(wait).toBeGreaterThanOrEqual(250);
      expect(wait).toBeLessThanOrEqual(15_000);
      expect(backoff(attempt + 1, () => chance)).toBeGreaterThanOrEqual(wait);
    }),
    { seed: 8 },
  );
});

import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const { signal } = new AbortController();

/** Returns a limit whose waits only advance a clock, and the clock. */
function limitOf(bytesPerSecond: number) {
  const clock = { now: 0 };
  const limit = createRateLimit(
    bytesPerSecond,
    () => clock.now,
    async (milliseconds) => {
      clock.now += milliseconds;
    },
  );
  return { clock, limit };
}

test('a rate limit spreads bytes over time', async () => {
  const { clock, limit } = limitOf(1000);
  for (let chunk = 0; chunk < 100; chunk += 1) await limit.spend(100, signal);
  expect(clock.now).toBeCloseTo(10_000, -3);
});

test('a rate limit grants at most a quarter of a second for idle time', async () => {
  const { clock, limit } = limitOf(1000);
  clock.now = 60_000;
  await limit.spend(1000, signal);
  expect(clock.now).toBe(60_750);
});

test('a wait ends with the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('stop');
  const waiting = createRateLimit(1).spend(1000, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

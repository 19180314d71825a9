import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DELIVERY_TIME_MS, MAX_TRIES, retryDelay } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;
/** Duration of a call in milliseconds, including the delay until it is found to be due. */
const CALL_MS = 12_000;
const plain = [5, 300, 1_800, 7_200, 14_400, 21_600, 28_800].map((seconds) => seconds * 1_000);

/**
 * Returns the start times of the attempts, in milliseconds after the job's end, for a receiver with these Retry-After
 * values.
 */
function timesOf(dice: readonly number[], retryAfter: readonly (number | undefined)[] = []): number[] {
  const times = [0];
  for (let now = CALL_MS; ; now += CALL_MS) {
    const at = times.length - 1;
    const pause = retryDelay(times.length, {
      remainingMs: DELIVERY_TIME_MS - now,
      retryAfter: retryAfter[at],
      random: dice[at] ?? 0,
    });
    if (pause === undefined) return times;
    now += pause;
    times.push(now);
  }
}

const dice = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 });

test('schedules eight attempts within a day, each delay longer than the previous one, with at most 15 % jitter', () => {
  fc.assert(
    fc.property(dice, (random) => {
      const times = timesOf(random);
      expect(times).toHaveLength(MAX_TRIES);
      expect(times.at(-1)).toBeLessThan(24 * HOUR_MS - CALL_MS);
      const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0) - CALL_MS);
      expect(gaps.toSorted((one, other) => one - other)).toEqual(gaps);
      for (const [at, least] of plain.entries()) {
        expect(gaps[at]).toBeGreaterThanOrEqual(least);
        expect(gaps[at]).toBeLessThanOrEqual(Math.ceil(least * 1.15));
      }
    }),
    { seed: 8 },
  );
  expect(MAX_TRIES).toBe(8);
});

test('honours Retry-After up to eight hours, and schedules no attempt later than a day', () => {
  const retryAfters = fc.array(fc.option(fc.integer({ min: 0, max: 1e12 }), { nil: undefined }), {
    minLength: 8,
    maxLength: 8,
  });
  fc.assert(
    fc.property(dice, retryAfters, (random, retryAfter) => {
      const times = timesOf(random, retryAfter);
      expect(times.length).toBeLessThanOrEqual(MAX_TRIES);
      expect(times.at(-1)).toBeLessThan(24 * HOUR_MS - CALL_MS);
      for (const [at, time] of times.slice(1).entries()) {
        const pause = time - (times[at] ?? 0) - CALL_MS;
        const minimum = Math.max(plain[at] ?? 0, Math.min(retryAfter[at] ?? 0, 8 * HOUR_MS));
        expect(pause).toBeLessThanOrEqual(Math.ceil(minimum * 1.15));
        // The last attempt is earlier if the day would otherwise be over.
        if (at < times.length - 2) expect(pause).toBeGreaterThanOrEqual(minimum);
      }
    }),
    { seed: 9 },
  );
});

test('schedules no attempt after the last one, or when the time is over', () => {
  expect(retryDelay(1, { remainingMs: DELIVERY_TIME_MS, random: 0 })).toBe(5_000);
  expect([8, 9].map((tries) => retryDelay(tries, { remainingMs: DELIVERY_TIME_MS }))).toEqual([undefined, undefined]);
  expect(retryDelay(2, { remainingMs: 30_000 })).toBeUndefined();
  expect(retryDelay(2, { remainingMs: 31_000 })).toBe(1_000);
});

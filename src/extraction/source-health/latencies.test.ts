import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addLatencies, countLatency, emptyLatencies, percentilesOf } from './latencies.ts';

function latenciesOf(durations: readonly number[]) {
  const latencies = emptyLatencies();
  for (const duration of durations) countLatency(latencies, duration);
  return latencies;
}

test('percentilesOf returns undefined if there are no durations', () => {
  expect(percentilesOf(emptyLatencies())).toBeUndefined();
});

test('percentiles are exact or up to 15 % too high', () => {
  const durations = fc.array(fc.double({ min: 10, max: 50_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, (some) => {
      const sorted = some.toSorted((a, b) => a - b);
      const percentiles = percentilesOf(latenciesOf(some));
      for (const [name, share] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ] as const) {
        const true_ = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
        // The percentiles are in whole milliseconds.
        expect(percentiles?.[name]).toBeGreaterThanOrEqual(Math.floor(true_));
        expect(percentiles?.[name]).toBeLessThanOrEqual(Math.ceil(true_ * 1.15) + 1);
      }
    }),
    { seed: 4 },
  );
});

test.each([0, -5, Number.MIN_VALUE, 1e9, Number.POSITIVE_INFINITY])('the duration %d is counted', (duration) => {
  expect(percentilesOf(latenciesOf([duration]))).toEqual({
    p50: expect.any(Number),
    p90: expect.any(Number),
    p99: expect.any(Number),
  });
});

test('addLatencies adds the durations of other counts', () => {
  const all = latenciesOf([100, 100]);
  addLatencies(all, latenciesOf([4_000, 4_000, 4_000]));
  expect(percentilesOf(all)?.p50).toBeGreaterThanOrEqual(4_000);
});

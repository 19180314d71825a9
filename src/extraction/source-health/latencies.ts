/** Upper end of the first bin in milliseconds, and the ratio of each bin's upper end to the previous one. */
const FIRST_MS = 10;
const GROWTH = 1.15;

/** Number of bins. The last one takes all longer durations, from 61 s. */
const BIN_COUNT = 64;

/** Number of durations in each bin. The upper end of each bin is 15 % higher than that of the previous one. */
export type Latencies = Uint32Array;

/** Percentiles of the durations in milliseconds, at most 15 % too high. */
interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Creates counts without any duration. */
export function emptyLatencies(): Latencies {
  return new Uint32Array(BIN_COUNT);
}

/** Counts a duration. */
export function countLatency(latencies: Latencies, milliseconds: number): void {
  const bin = Math.ceil(Math.log(Math.max(milliseconds, FIRST_MS) / FIRST_MS) / Math.log(GROWTH));
  const index = Math.min(bin, BIN_COUNT - 1);
  latencies[index] = (latencies[index] ?? 0) + 1;
}

/** Adds counts to other counts. */
export function addLatencies(latencies: Latencies, others: Latencies): void {
  for (const [index, count] of others.entries()) latencies[index] = (latencies[index] ?? 0) + count;
}

/** Returns the percentiles of the durations; undefined if there are none. */
export function percentilesOf(latencies: Latencies): Percentiles | undefined {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const within = (share: number) => {
    let remaining = Math.ceil(share * total);
    const bin = latencies.findIndex((count) => {
      remaining -= count;
      return remaining <= 0;
    });
    return Math.round(FIRST_MS * GROWTH ** bin);
  };
  return { p50: within(0.5), p90: within(0.9), p99: within(0.99) };
}

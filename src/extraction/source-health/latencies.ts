/** Upper end of the first bin in milliseconds, and how much wider each next one reaches. */
const FIRST_MS = 10;
const GROWTH = 1.15;

/** The last bin takes all that is longer: from 61 s on. */
const BIN_COUNT = 64;

/** Counts of durations in bins, each 15 % longer than the one before. */
export type Latencies = Uint32Array;

/** The duration that a share of all were not longer than, in milliseconds, 15 % too much at most. */
interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** None yet. */
export function emptyLatencies(): Latencies {
  return new Uint32Array(BIN_COUNT);
}

/** Counts a duration in. */
export function countLatency(latencies: Latencies, milliseconds: number): void {
  const bin = Math.ceil(Math.log(Math.max(milliseconds, FIRST_MS) / FIRST_MS) / Math.log(GROWTH));
  const index = Math.min(bin, BIN_COUNT - 1);
  latencies[index] = (latencies[index] ?? 0) + 1;
}

/** Adds what others have counted. */
export function addLatencies(latencies: Latencies, others: Latencies): void {
  for (const [index, count] of others.entries()) latencies[index] = (latencies[index] ?? 0) + count;
}

/** What the durations come to; undefined where there are none. */
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

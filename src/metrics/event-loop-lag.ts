import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * Interval between two samples in milliseconds. prom-client samples every 10 ms, which wakes an idle process 100 times
 * a second.
 */
const SAMPLE_MS = 100;
const NANOSECONDS = 1e9;

/** Returns how late a timer of {@link SAMPLE_MS} fires, in seconds; `interval` is in nanoseconds. */
const lag = (interval: number) => Math.max(0, interval / NANOSECONDS - SAMPLE_MS / 1_000);

/** Names and help of prom-client, so that dashboards keep working. */
const figures: readonly (readonly [name: string, help: string, readSeconds: (intervals: ELDHistogram) => number])[] = [
  ['min', 'The minimum recorded event loop delay.', ({ min }) => lag(min)],
  ['max', 'The maximum recorded event loop delay.', ({ max }) => lag(max)],
  ['mean', 'The mean of the recorded event loop delays.', ({ mean }) => lag(mean)],
  ['stddev', 'The standard deviation of the recorded event loop delays.', ({ stddev }) => stddev / NANOSECONDS],
  ['p50', 'The 50th percentile of the recorded event loop delays.', (intervals) => lag(intervals.percentile(50))],
  ['p90', 'The 90th percentile of the recorded event loop delays.', (intervals) => lag(intervals.percentile(90))],
  ['p99', 'The 99th percentile of the recorded event loop delays.', (intervals) => lag(intervals.percentile(99))],
];

/**
 * Replaces prom-client's event loop metrics with ones that do not wake an idle process. They measure how late timers
 * fire; those of prom-client measured the interval between two samples, which is at least 10 ms.
 */
export function addEventLoopLag(registry: Registry): void {
  const registers = [registry];
  const intervals = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  intervals.enable();
  const gauges = figures.map(([figure, help, readSeconds]) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    registry.removeSingleMetric(name);
    return { gauge: new Gauge({ name, help, registers }), readSeconds };
  });
  const name = 'nodejs_eventloop_lag_seconds';
  registry.removeSingleMetric(name);
  const now: Gauge = new Gauge({
    name,
    help: 'Lag of event loop in seconds.',
    registers,
    async collect() {
      // The histogram has no values before its first sample.
      if (intervals.count > 0) for (const { gauge, readSeconds } of gauges) gauge.set(readSeconds(intervals));
      intervals.reset();
      const startedAt = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      now.set((performance.now() - startedAt) / 1_000);
    },
  });
}

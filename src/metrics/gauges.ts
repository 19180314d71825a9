import { Counter, Gauge } from 'prom-client';
import { sleep } from '../waiting/sleep.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Timeout for reading a gauge; well within the ten seconds that Prometheus waits by default. */
const READ_TIMEOUT_MS = 3_000;

/** A gauge that could not be read. */
interface GaugeFailure {
  readonly metric: string;
  readonly error: unknown;
}

/** Adds gauges. */
export type Gauges = ReturnType<typeof createGauges>;

/**
 * Creates gauges that are read when metrics are collected. A gauge that cannot be read is left out and counted, so that
 * the others are available when they are needed most: during a database outage.
 */
export function createGauges(optionsOf: MetricOptionsOf) {
  const errors = new Counter(
    optionsOf('lookup_errors_total', 'Gauges left out because they could not be read, by name.', 'metric'),
  );
  const failures: GaugeFailure[] = [];

  async function readInTime<T>(metric: string, read: () => T | Promise<T>): Promise<T | undefined> {
    const done = new AbortController();
    try {
      return await Promise.race([read(), timeout(done.signal)]);
    } catch (error) {
      errors.inc({ metric });
      failures.push({ metric, error });
      return undefined;
    } finally {
      done.abort();
    }
  }

  /** Adds a gauge. */
  function gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge: Gauge = new Gauge({
      ...optionsOf(name, help),
      async collect() {
        const value = await readInTime(name, read);
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      },
    });
  }

  return {
    gauge,
    /** Adds gauges that are read together; `helps` are their help texts by name. */
    gaugeGroup<Name extends string>(helps: Readonly<Record<Name, string>>, read: () => Promise<Record<Name, number>>) {
      let reading: Promise<Record<Name, number>> | undefined;
      const readOnce = () => {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        return reading;
      };
      // Object.entries loses the names of the record's type.
      for (const [name, help] of Object.entries(helps) as [Name, string][]) {
        gauge(name, help, async () => (await readOnce())[name]);
      }
    },
    /** Adds a gauge with one label; `read` returns a value for each value of the label. */
    labelledGauge<Label extends string>(
      name: string,
      help: string,
      label: Label,
      read: () => ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>,
    ): void {
      const gauge: Gauge<Label> = new Gauge({
        ...optionsOf(name, help, label),
        async collect() {
          gauge.reset();
          const labels = (value: string) => ({ [label]: value }) as Record<Label, string>;
          for (const [value, number] of (await readInTime(name, read)) ?? []) gauge.set(labels(value), number);
        },
      });
    },
    /** Returns the failures since the last call. */
    takeFailures: (): readonly GaugeFailure[] => failures.splice(0),
  };
}

async function timeout(signal: AbortSignal): Promise<never> {
  await sleep(READ_TIMEOUT_MS, signal);
  throw new Error(`it took longer than ${READ_TIMEOUT_MS / 1_000} s`);
}

import { Counter, Gauge } from 'prom-client';
import { pause } from '../waiting/pause.ts';
import type { Describe } from './describe.ts';

/** Well within the ten seconds that Prometheus waits by default. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** A number that could not be looked up. */
export interface LookupFailure {
  readonly metric: string;
  readonly error: unknown;
}

/**
 * Numbers that are looked up when metrics are read. One that cannot be is left out and counted, so that the others are
 * there when they are needed most: while the database is away.
 */
export function createLookups(of: Describe) {
  const failed = new Counter(
    of('lookup_errors_total', 'Numbers left out because they could not be looked up, by name.', 'metric'),
  );
  const failures: LookupFailure[] = [];

  async function lookUp<T>(metric: string, read: () => T | Promise<T>): Promise<T | undefined> {
    const over = new AbortController();
    try {
      return await Promise.race([read(), tooLate(over.signal)]);
    } catch (error) {
      failed.inc({ metric });
      failures.push({ metric, error });
      return undefined;
    } finally {
      over.abort();
    }
  }

  function gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge: Gauge = new Gauge({
      ...of(name, help),
      async collect() {
        const number = await lookUp(name, read);
        if (number === undefined) gauge.remove();
        else gauge.set(number);
      },
    });
  }

  return {
    gauge,
    /** Numbers of which one question tells all, by their names. */
    figures<Name extends string>(helps: Readonly<Record<Name, string>>, read: () => Promise<Record<Name, number>>) {
      let asked: Promise<Record<Name, number>> | undefined;
      const ask = () => {
        asked ??= read().finally(() => {
          asked = undefined;
        });
        return asked;
      };
      // Object.entries forgets the names of the record's type.
      for (const [name, help] of Object.entries(helps) as [Name, string][]) {
        gauge(name, help, async () => (await ask())[name]);
      }
    },
    /** Numbers by a label. */
    gauges<Label extends string>(
      name: string,
      help: string,
      label: Label,
      read: () => ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>,
    ): void {
      const gauge: Gauge<Label> = new Gauge({
        ...of(name, help, label),
        async collect() {
          gauge.reset();
          const labelled = (value: string) => ({ [label]: value }) as Record<Label, string>;
          for (const [value, number] of (await lookUp(name, read)) ?? []) gauge.set(labelled(value), number);
        },
      });
    },
    /** What could not be looked up since this was last asked. */
    takeFailures: (): readonly LookupFailure[] => failures.splice(0),
  };
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await pause(LOOKUP_TIMEOUT_MS, signal);
  throw new Error(`it took longer than ${LOOKUP_TIMEOUT_MS / 1_000} s`);
}

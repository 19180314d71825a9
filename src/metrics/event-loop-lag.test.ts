import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { sleep } from '../waiting/sleep.ts';
import { addEventLoopLag } from './event-loop-lag.ts';

const namesOf = (registry: Registry) =>
  registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .toSorted();

async function figureOf(registry: Registry, name: string): Promise<number> {
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values[0]?.value ?? Number.NaN;
}

test('the registry has every metric of prom-client exactly once', () => {
  const [theirs, ours] = [new Registry(), new Registry()];
  collectDefaultMetrics({ register: theirs });
  collectDefaultMetrics({ register: ours });
  addEventLoopLag(ours);
  expect(namesOf(ours)).toEqual(namesOf(theirs));
});

test('the event loop lag includes the time for which the event loop is blocked', async () => {
  const registry = new Registry();
  addEventLoopLag(registry);
  await sleep(150);
  const end = performance.now() + 400;
  while (performance.now() < end);
  await sleep(150);
  await registry.metrics();
  expect(await figureOf(registry, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0.2);
  expect(await figureOf(registry, 'nodejs_eventloop_lag_min_seconds')).toBeLessThan(
    await figureOf(registry, 'nodejs_eventloop_lag_max_seconds'),
  );
});

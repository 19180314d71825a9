import { expect, test } from 'vitest';
import { healthOf, serviceHealth } from './health.ts';

const status = (requests: number, failureRate: number, note?: string) => ({
  id: 'p1',
  state: 'ok' as const,
  last15Minutes: { requests, failureRate },
  ...(note === undefined ? {} : { note }),
});

test('healthOf judges a platform by its last 15 minutes', () => {
  expect(
    [status(0, 0), status(9, 0), status(9, 0.1), status(9, 0.5), status(9, 0, 'It fails often.'), undefined].map(
      healthOf,
    ),
  ).toEqual(['idle', 'fine', 'shaky', 'failing', 'failing', 'unknown']);
});

test('healthOf reports a platform that has changed, unless it fails', () => {
  const drifting = (failureRate: number) => ({ ...status(9, failureRate), state: 'drifting' as const });
  expect([drifting(0), drifting(0.1), drifting(0.5)].map(healthOf)).toEqual(['drifting', 'shaky', 'failing']);
});

test('serviceHealth is degraded as soon as one platform has problems', () => {
  const platforms = (...statuses: ReturnType<typeof status>[]) =>
    new Map(statuses.map((one, index) => [`p${index}`, one]));
  expect(
    [undefined, platforms(status(0, 0), status(9, 0)), platforms(status(9, 0), status(9, 0.5))].map(serviceHealth),
  ).toEqual(['unknown', 'operational', 'degraded']);
});

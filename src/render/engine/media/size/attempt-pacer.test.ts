import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProgressPacer } from '../../tasks/progress-pacer.ts';
import { pacerOfAttempt } from './attempt-pacer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('reports an attempt as half of the rest of the task', async () => {
  const reported: number[] = [];
  const pacer = new ProgressPacer((fraction) => reported.push(fraction), 0);
  await pacerOfAttempt(pacer, 0, () => undefined).reportAndYield(0.5);
  await pacerOfAttempt(pacer, 0.5, () => undefined).reportAndYield(1);
  expect(reported).toEqual([0.25, 0.75]);
});

test('estimates the duration of an attempt after ten seconds', async () => {
  const estimates: number[] = [];
  const pacer = pacerOfAttempt(new ProgressPacer(() => undefined, 0), 0, (ms) => estimates.push(ms));
  vi.advanceTimersByTime(9_000);
  await pacer.reportAndYield(0.1);
  vi.advanceTimersByTime(3_000);
  await pacer.reportAndYield(0.1);
  expect(estimates).toEqual([120_000]);
});

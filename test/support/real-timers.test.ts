import { AsyncResource } from 'node:async_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

const outsideOfTests = new AsyncResource('what an earlier file left behind');
let leftByEarlierTest: AsyncResource | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});

test('a test replaces its own timers', () => {
  leftByEarlierTest = new AsyncResource('what an earlier test left behind');
  const fired: string[] = [];
  setTimeout(() => fired.push('timeout'), 1000);
  const interval = setInterval(() => fired.push('interval'), 400);
  expect(vi.getTimerCount()).toBe(2);
  vi.advanceTimersByTime(1000);
  expect(fired).toEqual(['interval', 'interval', 'timeout']);
  clearInterval(interval);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['earlier files', () => outsideOfTests],
  ['earlier tests', () => leftByEarlierTest],
])('timers of %s stay real while a test has replaced its own', async (_, left) => {
  const fired = Promise.withResolvers<string>();
  left()?.runInAsyncScope(() => {
    const cleared = [setTimeout(() => fired.resolve('cleared'), 0), setInterval(() => fired.resolve('cleared'), 1)];
    setTimeout(() => fired.resolve('fired'), 2);
    cleared.forEach((timer) => {
      clearTimeout(timer);
    });
  });
  expect(vi.getTimerCount()).toBe(0);
  expect(await fired.promise).toBe('fired');
});

import { Script } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

test('timers of PGlite stay real while a test has replaced its own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const start: () => Promise<string> = new Script(`() => new Promise((resolve) => setTimeout(resolve, 1, 'fired'))`, {
    filename: '/node_modules/@electric-sql/pglite/dist/index.js',
  }).runInThisContext();
  const fired = start();
  expect(vi.getTimerCount()).toBe(0);
  expect(await fired).toBe('fired');
  setTimeout(() => undefined, 1);
  expect(vi.getTimerCount()).toBe(1);
});

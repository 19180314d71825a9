import { afterEach, expect, it, vi } from 'vitest';
import { shortPause } from './pause.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('waits at least 200 milliseconds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const start = performance.now();
  await shortPause(new AbortController().signal);
  expect(performance.now() - start).toBeGreaterThan(195);
});

it('ends with the reason of the signal', async () => {
  const reason = new Error('gone');
  await expect(shortPause(AbortSignal.abort(reason))).rejects.toBe(reason);
});

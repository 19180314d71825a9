import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { type Pause, retryDatabaseCall } from './retry-database-call.ts';

const log = pino({ level: 'silent' });
afterEach(() => vi.restoreAllMocks());

/** Creates pauses that end immediately, and a clock that advances by them. */
function clock() {
  let at = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => at);
  const pauses: number[] = [];
  const pause: Pause = async (milliseconds) => {
    pauses.push(milliseconds);
    at += milliseconds;
  };
  return { pause, pauses, elapsed: () => at };
}

test('retries at growing intervals until the call succeeds', async () => {
  const { pause, pauses } = clock();
  let remaining = 4;
  const call = async () => {
    remaining -= 1;
    if (remaining > 0) throw new Error('away');
    return 'here';
  };
  expect(await retryDatabaseCall(call, { log, pause })).toBe('here');
  expect(pauses).toHaveLength(3);
  for (const [index, longest] of [250, 500, 1_000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(pauses[index]).toBeLessThanOrEqual(longest);
  }
});

test('gives up when the job may be given to others', async () => {
  const { pause, elapsed } = clock();
  await expect(retryDatabaseCall(() => Promise.reject(new Error('away')), { log, pause })).rejects.toThrow('away');
  expect(elapsed()).toBeGreaterThan(25_000);
  expect(elapsed()).toBeLessThanOrEqual(30_000);
});

test('ends when its signal is aborted', async () => {
  const abort = new AbortController();
  const call = () => {
    abort.abort(new Error('lost'));
    return Promise.reject(new Error('away'));
  };
  await expect(retryDatabaseCall(call, { log, signal: abort.signal })).rejects.toThrow('lost');
});

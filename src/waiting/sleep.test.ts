import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { sleep } from './sleep.ts';

test('sleep waits for the given time and leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  const startedAt = performance.now();
  await sleep(30, signal);
  expect(performance.now() - startedAt).toBeGreaterThan(25);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  ['a timeout', new MillraceError('download_timeout', 'late')],
  ['a cancellation', new Error('cancelled')],
  ['a reason that is no error', 'stop'],
])('sleep rethrows %s unchanged when it ends a wait', async (_name, reason) => {
  const ended = new AbortController();
  const waiting = sleep(60_000, ended.signal);
  ended.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

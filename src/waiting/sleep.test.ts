import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { sleep } from './sleep.ts';

test('a pause takes its time, and leaves nothing on the signal', async () => {
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
])('a pause ended by %s throws exactly that', async (_name, reason) => {
  const ended = new AbortController();
  const waiting = sleep(60_000, ended.signal);
  ended.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

import { expect, test, vi } from 'vitest';
import { createInFlight } from './in-flight.ts';

const signal = new AbortController().signal;

test('starts work once for all concurrent callers of a key', async () => {
  const join = createInFlight<number>();
  const work = Promise.withResolvers<number>();
  const start = vi.fn(() => work.promise);
  const both = [join('a', start, signal), join('a', start, signal)];
  const other = join('b', async () => 2, signal);
  work.resolve(1);
  expect([await Promise.all(both), await other, start.mock.calls.length]).toEqual([[1, 1], 2, 1]);
  expect(await join('a', async () => 3, signal)).toBe(3);
});

test('continues for the others when a caller leaves, also the one who started it', async () => {
  const join = createInFlight<number>();
  const work = Promise.withResolvers<number>();
  const abort = new AbortController();
  const first = join('a', () => work.promise, abort.signal);
  const second = join('a', async () => 2, signal);
  abort.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  work.resolve(1);
  expect(await second).toBe(1);
});

test('passes an error to all callers, and starts again after it', async () => {
  const join = createInFlight<number>();
  const fail = async () => {
    throw new Error('failed');
  };
  const both = [join('a', fail, signal), join('a', fail, signal)];
  for (const each of both) await expect(each).rejects.toThrow('failed');
  expect(await join('a', async () => 3, signal)).toBe(3);
});

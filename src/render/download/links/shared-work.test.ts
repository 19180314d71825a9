import { expect, test } from 'vitest';
import { createSharedWork } from './shared-work.ts';

/** Starts work that ends only when the test ends it. */
function createTestWork() {
  const starts: { signal: AbortSignal; end: PromiseWithResolvers<string> }[] = [];
  const work = createSharedWork<string>();
  const start = (signal: AbortSignal) => {
    const end = Promise.withResolvers<string>();
    starts.push({ signal, end });
    return end.promise;
  };
  return { starts, join: (signal: AbortSignal) => work.join(start, signal) };
}

test('runs once for callers at the same time, and again after it has ended', async () => {
  const { starts, join } = createTestWork();
  const { signal } = new AbortController();
  const callers = [join(signal), join(signal)];
  starts[0]?.end.resolve('one');
  expect(await Promise.all(callers)).toEqual(['one', 'one']);
  const next = join(signal);
  starts[1]?.end.reject(new Error('two'));
  await expect(next).rejects.toThrow('two');
  expect(starts).toHaveLength(2);
});

test('continues when a caller leaves, and is aborted when the last one leaves', async () => {
  const { starts, join } = createTestWork();
  const [first, second] = [new AbortController(), new AbortController()];
  const callers = [join(first.signal), join(second.signal)];
  first.abort(new Error('first'));
  await expect(callers[0]).rejects.toThrow('first');
  expect(starts[0]?.signal.aborted).toBe(false);
  second.abort(new Error('second'));
  await expect(callers[1]).rejects.toThrow('second');
  expect(starts[0]?.signal.aborted).toBe(true);
});

test('starts again for a caller that joins after it was aborted', async () => {
  const { starts, join } = createTestWork();
  const abort = new AbortController();
  const aborted = join(abort.signal);
  abort.abort(new Error('left'));
  await expect(aborted).rejects.toThrow('left');
  const next = join(new AbortController().signal);
  starts[1]?.end.resolve('done');
  expect(await next).toBe('done');
});

test('is not started for a caller that has left', async () => {
  const { starts, join } = createTestWork();
  await expect(join(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  expect(starts).toHaveLength(0);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBulkhead, hangingCalls } from './bulkhead.ts';

const limits = { maxCalls: 2, timeout: 20 };

// A busy machine could take longer than the timeout for a call that does not hang.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Calls that start in order and return when the test lets them. */
function calls() {
  const startedCalls: PromiseWithResolvers<string>[] = [];
  const call = () => {
    const turn = Promise.withResolvers<string>();
    startedCalls.push(turn);
    return turn.promise;
  };
  return { startedCalls, call, end: (index: number, result: string) => startedCalls[index]?.resolve(result) };
}

test('runs few calls concurrently while the others wait for their turn', async () => {
  const { startedCalls, call, end } = calls();
  const run = createBulkhead('the disk', limits);
  const results = ['a', 'b', 'c'].map(() => run(call));
  await expect.poll(() => startedCalls.length).toBe(2);
  end(1, 'b');
  expect(await results[1]).toBe('b');
  await expect.poll(() => startedCalls.length).toBe(3);
  end(0, 'a');
  end(2, 'c');
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
});

test('gives the slot of a failed call to the next one', async () => {
  const run = createBulkhead('the disk', limits);
  for (let count = 0; count < 5; count += 1) {
    await expect(run(() => Promise.reject(new Error('no such file')))).rejects.toThrow('no such file');
  }
});

test('fails calls immediately while all slots hang, and recovers when they return', async () => {
  const { startedCalls, call, end } = calls();
  const run = createBulkhead('the disk', limits);
  const late: string[] = [];
  const ending = Promise.allSettled([run(call, (result) => late.push(result)), run(call), run(call)]);
  await vi.advanceTimersByTimeAsync(2 * limits.timeout);
  const hanging = await ending;
  expect(hanging.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(run(call)).rejects.toThrow('the disk does not respond');
  expect([startedCalls.length, hangingCalls()]).toEqual([2, 2]);
  end(0, 'opened too late');
  await expect.poll(() => late).toEqual(['opened too late']);
  const next = run(call);
  await expect.poll(() => startedCalls.length).toBe(3);
  end(2, 'works');
  expect(await next).toBe('works');
  end(1, '');
  await expect.poll(hangingCalls).toBe(0);
});

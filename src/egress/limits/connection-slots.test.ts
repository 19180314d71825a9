import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { createConnectionSlots, type SlotLimits } from './connection-slots.ts';

const account = (name: string): Caller => ({ account: name, key: name });
const visitor = (name: string): Caller => ({ account: 'page', key: `page/${name}` });
const never = new AbortController().signal;
const site = new URL('https://cdn.example/film');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Slots whose requests are recorded by the keys of their callers, in the order in which they started or failed. */
function slotsWith(limits: SlotLimits) {
  const slots = createConnectionSlots(limits);
  const started: string[] = [];
  const failed: unknown[] = [];
  return {
    started,
    failed,
    /** Returns a function that ends the request. */
    request(caller: Caller, { url = site, signal = never } = {}) {
      const acquired = slots.acquire(url, caller, signal);
      acquired.then(
        () => started.push(caller.key),
        (error: unknown) => failed.push(error),
      );
      return async () => (await acquired)();
    },
  };
}

describe('the connections to an origin', () => {
  test('are limited, and waiting callers take turns when one becomes free', async () => {
    const { request, started } = slotsWith({ total: 2 });
    const ends = ['a', 'a', 'a', 'a', 'b'].map((name) => request(account(name)));
    request(account('c'), { url: new URL('https://other.example/') });
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'a', 'c']);
    for (const end of ends.slice(0, 2)) await end();
    await vi.advanceTimersByTimeAsync(0);
    expect(started.slice(3)).toEqual(['a', 'b']);
  });

  test('leave a caller with its share, and all visitors with theirs, while others get one at once', async () => {
    const { request, started, failed } = slotsWith({ total: 8, perCaller: 2, visitors: 3 });
    for (const name of ['1', '1', '1', '2', '3']) request(visitor(name));
    for (const name of ['a', 'a', 'a', 'b']) request(account(name));
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['page/1', 'page/1', 'page/2', 'a', 'a', 'b']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(failed).toHaveLength(3);
  });

  test('are waited for during five seconds, and the error names the host', async () => {
    const { request, failed, started } = slotsWith({ total: 1 });
    const end = request(account('a'));
    request(account('b'));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(failed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toMatchObject([
      { code: 'service_unavailable', retryable: true, message: expect.stringContaining('cdn.example') },
    ]);
    await end();
    request(account('c'));
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'c']);
  });

  test('stay free when the caller disconnects, also at the moment of its turn', async () => {
    const slots = createConnectionSlots({ total: 1 });
    const leaving = new AbortController();
    const end = await slots.acquire(site, account('a'), never);
    const waiting = ['b', 'c'].map((name) => slots.acquire(site, account(name), leaving.signal));
    leaving.abort(new Error('disconnected'));
    end();
    for (const each of waiting) await expect(each).rejects.toThrow('disconnected');
    await slots.acquire(site, account('d'), never);
    expect(vi.getTimerCount()).toBe(0);
  });
});

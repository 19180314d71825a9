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
    const { request, started } = slotsWith({ total: 3 });
    const ends = ['a', 'a', 'b', 'a', 'a', 'c'].map((name) => request(account(name)));
    request(account('d'), { url: new URL('https://other.example/') });
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'a', 'b', 'd']);
    for (const end of ends.slice(0, 3)) await end();
    await vi.advanceTimersByTimeAsync(0);
    expect(started.slice(4)).toEqual(['c', 'a']);
  });

  test('go to a caller as long as more are free than it has, so that every next caller gets half of the rest', async () => {
    const { request, started } = slotsWith({ total: 16 });
    for (const name of ['a', 'b', 'c', 'd']) for (let each = 0; each < 16; each += 1) request(account(name));
    await vi.advanceTimersByTimeAsync(0);
    expect(started.join('')).toBe('aaaaaaaabbbbccd');
  });

  test('are waited for until the caller has ended enough requests, or more connections are free', async () => {
    const { request, started } = slotsWith({ total: 8 });
    const ends = Array.from({ length: 5 }, () => request(account('a')));
    const others = ['b', 'b'].map((name) => request(account(name)));
    await vi.advanceTimersByTimeAsync(0);
    expect(started.join('')).toBe('aaaabb');
    await others[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    // The caller has 4, and 3 are free.
    expect(started).toHaveLength(6);
    await ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(started.slice(6)).toEqual(['a']);
  });

  test('go to a visitor as long as visitors can have more than it has, and leave the rest to keys', async () => {
    const { request, started } = slotsWith({ total: 64, visitors: 8 });
    for (const name of ['1', '2', '3', '4']) for (let each = 0; each < 8; each += 1) request(visitor(name));
    for (let each = 0; each < 64; each += 1) request(account('a'));
    await vi.advanceTimersByTimeAsync(0);
    expect(
      started
        .slice(0, 8)
        .map((key) => key.slice(-1))
        .join(''),
    ).toBe('11112234');
    expect(started.slice(8)).toEqual(Array(28).fill('a'));
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

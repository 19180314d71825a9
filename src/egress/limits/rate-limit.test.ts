import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { createRateLimiter, readRateLimitRules } from './rate-limit.ts';

const never = new AbortController().signal;
const modest: Caller = { account: 'modest', key: 'modest' };
const accountOf = (name: string): Caller => ({ account: name, key: name });
const visitorOf = (name: string): Caller => ({ account: 'page', key: `page/${name}` });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** When a request was sent, in milliseconds since the start, or that it was refused. */
interface Sent {
  readonly caller: Caller;
  readonly requestedAt: number;
  readonly at: number | 'refused';
}

/** A rate limiter on a simulated clock that records when requests are sent. */
function limiterAt(rate: number, burst: number) {
  const limiter = createRateLimiter({ rate, burst });
  const start = performance.now();
  const clock = () => Math.round(performance.now() - start);
  const sent: Sent[] = [];
  return {
    clock,
    sent,
    times: () => sent.map(({ at }) => at),
    request(caller: Caller = modest, host = 'a.example', exit = 'direct', signal = never) {
      const requestedAt = clock();
      return limiter.acquire(host, exit, caller, signal).then(
        () => sent.push({ caller, requestedAt, at: clock() }),
        () => sent.push({ caller, requestedAt, at: 'refused' }),
      );
    },
  };
}

describe('the rate limiter', () => {
  test('sends a burst immediately and the rest one after the other', async () => {
    const { request, times } = limiterAt(10, 3);
    for (let each = 0; each < 5; each += 1) void request();
    await vi.advanceTimersByTimeAsync(250);
    void request();
    await vi.advanceTimersByTimeAsync(9_750);
    for (let each = 0; each < 3; each += 1) void request();
    await vi.advanceTimersByTimeAsync(0);
    expect(times()).toEqual([0, 0, 0, 100, 200, 300, 10_000, 10_000, 10_000]);
  });

  test('limits each host and exit separately', async () => {
    const { request, times } = limiterAt(1, 1);
    void request();
    void request(modest, 'b.example');
    void request(modest, 'a.example', 'fr-1');
    await vi.advanceTimersByTimeAsync(0);
    expect(times()).toEqual([0, 0, 0]);
  });

  test('refuses the requests of a caller that would wait for more than ten seconds, and only of that caller', async () => {
    const { request, times, sent } = limiterAt(1, 1);
    for (let each = 0; each < 12; each += 1) void request(accountOf('greedy'));
    await vi.advanceTimersByTimeAsync(0);
    expect(times()).toEqual([0, 'refused']);
    void request();
    void request(modest, 'b.example');
    await vi.advanceTimersByTimeAsync(12_000);
    expect(sent.filter(({ caller }) => caller === modest).map(({ at }) => at)).toEqual([0, 2_000]);
    // The turn of the other caller delayed the last one by too much.
    expect(times()).toEqual([
      0,
      'refused',
      0,
      ...Array.from({ length: 10 }, (_, each) => 1_000 * (each + 1)),
      'refused',
    ]);
  });

  test('says which host has too many requests', async () => {
    const limiter = createRateLimiter({ rate: 0.01, burst: 1 });
    await limiter.acquire('a.example', 'direct', modest, never);
    await expect(limiter.acquire('a.example', 'direct', modest, never)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
      message: expect.stringContaining('a.example'),
    });
  });

  test('ends the wait when the signal is aborted, and gives the turn to the next request', async () => {
    const { request, times } = limiterAt(1, 1);
    const over = new AbortController();
    void request();
    void request(modest, 'a.example', 'direct', over.signal);
    void request();
    over.abort(new Error('the time is over'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(times()).toEqual([0, 'refused', 1_000]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('lets all visitors together send as many requests as one account', async () => {
    const { request, sent } = limiterAt(10, 1);
    for (let each = 0; each < 200; each += 1) void request(visitorOf(`${each % 20}`));
    for (let each = 0; each < 20; each += 1) void request(accountOf('one'));
    await vi.advanceTimersByTimeAsync(4_000);
    const turns = sent.filter(({ at }) => at !== 'refused' && at > 0).slice(0, 40);
    expect(turns.filter(({ caller }) => caller.account === 'page')).toHaveLength(20);
    expect(new Set(turns.map(({ caller }) => caller.key)).size).toBe(21);
  });

  test('never exceeds its rate, makes no caller wait for the requests of others, and bounds what waits', async () => {
    const arrivals = fc.array(
      fc.record({ gap: fc.nat(120), greedy: fc.nat(5), requests: fc.integer({ min: 1, max: 40 }), asks: fc.boolean() }),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        async (list, rate, burst) => {
          const { request, sent } = limiterAt(rate, burst);
          const inLongestWait = 10 * rate + 1;
          let made = 0;
          let isWaiting = false;
          for (const { gap, greedy, requests, asks } of list) {
            for (let each = 0; each < requests; each += 1) {
              void request(greedy % 2 === 0 ? accountOf(`greedy ${greedy}`) : visitorOf(`greedy ${greedy}`));
            }
            made += requests;
            if (asks && !isWaiting) {
              isWaiting = true;
              made += 1;
              void request().then(() => {
                isWaiting = false;
              });
            }
            await vi.advanceTimersByTimeAsync(gap);
            expect(made - sent.length).toBeLessThanOrEqual(2 * inLongestWait * (1 + Math.log(inLongestWait)));
          }
          await vi.advanceTimersByTimeAsync(12_000);
          expect([sent.length, vi.getTimerCount()]).toEqual([made, 0]);
          const interval = 1000 / rate;
          // Three accounts and the visitors may have their turns first, and timers are precise to a millisecond.
          for (const { caller, requestedAt, at } of sent) {
            if (caller === modest) expect(at).toBeLessThanOrEqual(requestedAt + 5 * interval + 1);
          }
          const times = sent.flatMap(({ at }) => (at === 'refused' ? [] : [at])).toSorted((one, other) => one - other);
          for (const start of times) {
            const within = times.filter((at) => at >= start && at < start + 1000).length;
            expect(within).toBeLessThanOrEqual(rate + burst);
          }
        },
      ),
      { seed: 1, numRuns: 40 },
    );
  });

  test('does not wait when it is off', async () => {
    await createRateLimiter(readRateLimitRules('off')).acquire('a.example', 'direct', modest, AbortSignal.abort());
  });
});

test('readRateLimitRules reads valid rules and rejects others', () => {
  expect(readRateLimitRules('0.5/1')).toEqual({ rate: 0.5, burst: 1 });
  for (const text of ['10', '10/', '0/5', '5/0', '-1/5', 'a/b', '1/2/3', 'OFF']) {
    expect(() => readRateLimitRules(text)).toThrow(/^must be/);
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter, readRateLimitRules } from './rate-limit.ts';

const never = new AbortController().signal;

/** A rate limiter with a stopped clock that records its waits. */
function paceAt(rate: number, burst: number) {
  const clock = { now: 0 };
  const waits: number[] = [];
  const pace = createRateLimiter(
    { rate, burst },
    () => clock.now,
    async (milliseconds) => {
      waits.push(milliseconds);
    },
  );
  return { clock, waits, turn: (host = 'a.example', exit = 'direct') => pace.acquire(host, exit, never) };
}

describe('the rate limiter', () => {
  test('sends a burst immediately and the rest one after the other', async () => {
    const { turn, waits, clock } = paceAt(10, 3);
    for (let request = 0; request < 5; request += 1) await turn();
    expect(waits).toEqual([100, 200]);
    clock.now = 250;
    await turn();
    expect(waits).toEqual([100, 200, 50]);
    clock.now = 10_000;
    for (let request = 0; request < 3; request += 1) await turn();
    expect(waits).toHaveLength(3);
  });

  test('limits each host and exit separately', async () => {
    const { turn, waits } = paceAt(1, 1);
    await turn();
    await turn('b.example');
    await turn('a.example', 'fr-1');
    expect(waits).toEqual([]);
  });

  test('refuses requests that would wait for more than ten seconds', async () => {
    const { turn, waits } = paceAt(1, 1);
    for (let request = 0; request < 11; request += 1) await turn();
    expect(waits.at(-1)).toBe(10_000);
    await expect(turn()).rejects.toMatchObject({ code: 'service_unavailable', retryable: true });
    await expect(turn('b.example')).resolves.toBeUndefined();
  });

  test('ends the wait when the signal is aborted', async () => {
    const pace = createRateLimiter({ rate: 1, burst: 1 });
    const over = new AbortController();
    await pace.acquire('a.example', 'direct', over.signal);
    const waiting = pace.acquire('a.example', 'direct', over.signal);
    over.abort(new Error('the time is over'));
    await expect(waiting).rejects.toThrow('the time is over');
  });

  test('never exceeds its rate, regardless of when requests arrive', async () => {
    const gaps = fc.array(fc.nat(400), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        gaps,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        async (list, rate, burst) => {
          const { turn, waits, clock } = paceAt(rate, burst);
          const sendTimes: number[] = [];
          for (const gap of list) {
            clock.now += gap;
            const before = waits.length;
            // Requests that would wait too long are not sent.
            if (
              await turn().then(
                () => true,
                () => false,
              )
            )
              sendTimes.push(clock.now + (waits[before] ?? 0));
          }
          for (const start of sendTimes) {
            const within = sendTimes.filter((at) => at >= start && at < start + 1000).length;
            expect(within).toBeLessThanOrEqual(rate + burst);
          }
        },
      ),
      { seed: 1 },
    );
  });

  test('does not wait when it is off', async () => {
    await createRateLimiter(readRateLimitRules('off')).acquire('a.example', 'direct', AbortSignal.abort());
  });
});

test('readRateLimitRules reads valid rules and rejects others', () => {
  expect(readRateLimitRules('0.5/1')).toEqual({ rate: 0.5, burst: 1 });
  for (const text of ['10', '10/', '0/5', '5/0', '-1/5', 'a/b', '1/2/3', 'OFF']) {
    expect(() => readRateLimitRules(text)).toThrow(/^must be/);
  }
});

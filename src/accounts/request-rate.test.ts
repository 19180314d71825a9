import { expect, test } from 'vitest';
import { createRequestRate, readRequestRate } from './request-rate.ts';

test('clients may send a burst, then requests at the configured rate, and are counted separately', () => {
  let now = 0;
  const count = createRequestRate({ perMinute: 30, burst: 3 }, undefined, () => now);
  const countRequest = (visitor: string) => {
    try {
      count([visitor]);
      return 0;
    } catch (error) {
      return error;
    }
  };
  expect([1, 2, 3].map(() => countRequest('a'))).toEqual([0, 0, 0]);
  expect(countRequest('a')).toMatchObject({
    code: 'rate_limited',
    retryAfter: 2,
    allowance: { limit: 3, remaining: 0 },
  });
  expect(countRequest('b')).toBe(0);
  now = 1_900;
  expect(countRequest('a')).toMatchObject({ retryAfter: 1 });
  now = 2_000;
  expect([countRequest('a'), countRequest('a')]).toMatchObject([0, { code: 'rate_limited' }]);
  now = 3_600_000;
  expect([1, 2, 3, 4].map(() => countRequest('a'))).toMatchObject([0, 0, 0, { code: 'rate_limited' }]);
});

test('a request that takes as long as several counts as several, but fits into a burst', () => {
  const count = createRequestRate({ perMinute: 60, burst: 3 }, ['This key has', ''], () => 0);
  count(['a'], 2);
  expect(() => count(['a'], 2)).toThrow('This key has sent more than 60 requests a minute. Try again in 1 s.');
  count(['a']);
  count(['b'], 100);
});

test('all clients of a wider network have a rate, which is four times as high at each tier', () => {
  let now = 0;
  const count = createRequestRate({ perMinute: 30, burst: 3 }, undefined, () => now);
  const admitted = (clients: number, middleOf: (client: number) => string) => {
    let requests = 0;
    for (let client = 0; client < clients; client += 1) {
      try {
        count([`${middleOf(client)} ${client}`, middleOf(client), 'wide']);
        requests += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/^Your network has sent/) });
      }
    }
    return requests;
  };
  expect(admitted(256, () => 'a')).toBe(12);
  expect(admitted(256, (client) => `b${client}`)).toBe(36);
  now = 60_000;
  expect(admitted(256, () => 'a')).toBe(12);
  expect(() => count(['203.0.113.7'])).not.toThrow();
});

test('readRequestRate reads a rate and rejects other texts', () => {
  expect(readRequestRate('30/20')).toEqual({ perMinute: 30, burst: 20 });
  for (const text of ['', '30', '0/1', '1/0', '-1/2', '1.5/2', 'off', '30/20/10']) {
    expect(() => readRequestRate(text)).toThrow('must be requests per minute');
  }
});

import { expect, test } from 'vitest';
import { createVisitorLimit, readVisitorRate } from './visitor-limit.ts';

test('visitors may send a burst, then requests at the configured rate, and are counted separately', () => {
  let now = 0;
  const count = createVisitorLimit({ perMinute: 30, burst: 3 }, () => now);
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

test('all visitors of a wider network have a rate, which is four times as high at each tier', () => {
  let now = 0;
  const count = createVisitorLimit({ perMinute: 30, burst: 3 }, () => now);
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

test('readVisitorRate reads a rate and rejects other texts', () => {
  expect(readVisitorRate('30/20')).toEqual({ perMinute: 30, burst: 20 });
  for (const text of ['', '30', '0/1', '1/0', '-1/2', '1.5/2', 'off', '30/20/10']) {
    expect(() => readVisitorRate(text)).toThrow('must be requests per minute');
  }
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVisitorLimit, readVisitorRate, visitorOf } from './visitors.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unix', 'unix'],
])('%s is the visitor %s', (address, visitor) => {
  expect(visitorOf(address)).toBe(visitor);
});

test('a network of IPv6 is one visitor, whatever the rest of the address is', () => {
  const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(rest, (parts) => {
      const address = `2001:db8:a:b:${parts.map((part) => part.toString(16)).join(':')}`;
      expect(visitorOf(address)).toBe('2001:db8:a:b::/64');
    }),
    { seed: 1 },
  );
});

test('visitors may ask at once, and then as often as the rate says; each has a count of their own', () => {
  let now = 0;
  const count = createVisitorLimit({ perMinute: 30, burst: 3 }, () => now);
  const asks = (visitor: string) => {
    try {
      count(visitor);
      return 0;
    } catch (error) {
      return error;
    }
  };
  expect([1, 2, 3].map(() => asks('a'))).toEqual([0, 0, 0]);
  expect(asks('a')).toMatchObject({ code: 'rate_limited', retryAfter: 2, allowance: { limit: 3, remaining: 0 } });
  expect(asks('b')).toBe(0);
  now = 1_900;
  expect(asks('a')).toMatchObject({ retryAfter: 1 });
  now = 2_000;
  expect([asks('a'), asks('a')]).toMatchObject([0, { code: 'rate_limited' }]);
  now = 3_600_000;
  expect([1, 2, 3, 4].map(() => asks('a'))).toMatchObject([0, 0, 0, { code: 'rate_limited' }]);
});

test('a rate is read, and what is none is refused', () => {
  expect(readVisitorRate('30/20')).toEqual({ perMinute: 30, burst: 20 });
  for (const text of ['', '30', '0/1', '1/0', '-1/2', '1.5/2', 'off', '30/20/10']) {
    expect(() => readVisitorRate(text)).toThrow('must be questions a minute');
  }
});

import { expect, test } from 'vitest';
import { createJobRates } from './job-rates.ts';

/** Returns how often a call succeeds until it is refused. */
function admitted(call: (index: number) => void): number {
  for (let index = 0; index < 1_000; index += 1) {
    try {
      call(index);
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) });
      return index;
    }
  }
  return Number.POSITIVE_INFINITY;
}

test('the uses of execution URLs are counted for each client, and for each owner and visitor', () => {
  const rates = createJobRates({ perMinute: 1, burst: 3 });
  expect(admitted(() => rates.countUse(['203.0.113.1']))).toBe(3);
  expect(
    admitted((client) => rates.countUse([`2001:db8:1:${client}::/64`, '2001:db8:1::/56', '2001:db8:1::/48'])),
  ).toBe(12);
  expect(admitted(() => rates.countUseOf('extraction:1'))).toBe(12);
  expect(admitted(() => rates.countUseOf('page/visitor'))).toBe(12);
  expect(() => rates.countUseOf('page/other')).not.toThrow();
  expect(() => rates.countUseOf('extraction:1')).toThrow(
    /^The owner of this execution URL has sent more than 4 requests/,
  );
});

test('reads of a status are counted for each client, and calls for each account', () => {
  const rates = createJobRates({ perMinute: 1, burst: 3 });
  expect(admitted(() => rates.countRead(['203.0.113.1']))).toBe(12);
  expect(() => rates.countRead(['203.0.113.2'])).not.toThrow();
  expect(admitted(() => rates.countCall('render:1'))).toBe(3);
  expect(() => rates.countCall('render:1')).toThrow(/^Your account has sent more than 1 requests/);
  // A long list counts as several requests.
  expect(admitted(() => rates.countCall('render:2', 2))).toBe(1);
});

test('a proxy that names no client has no limit', () => {
  const rates = createJobRates({ perMinute: 1, burst: 1 });
  expect(admitted(() => rates.countUse(undefined))).toBe(Number.POSITIVE_INFINITY);
  expect(admitted(() => rates.countRead(undefined))).toBe(Number.POSITIVE_INFINITY);
});

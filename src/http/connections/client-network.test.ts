import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientNetwork, createRangeMatcher } from './client-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unix', 'unix'],
])('the address %s belongs to the network %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test('all addresses of an IPv6 /64 belong to one network', () => {
  const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(rest, (parts) => {
      const address = `2001:db8:a:b:${parts.map((part) => part.toString(16)).join(':')}`;
      expect(clientNetwork(address)).toBe('2001:db8:a:b::/64');
    }),
    { seed: 1 },
  );
});

test('ranges and single addresses match, even if IPv4 is written as IPv6', () => {
  const matches = createRangeMatcher(['10.0.0.0/8', '203.0.113.7', 'fd00::/8', '::1']);
  const inside = ['10.1.2.3', '::ffff:10.1.2.3', '203.0.113.7', 'fd12::1', '::1'];
  const outside = ['11.0.0.1', '203.0.113.8', '::ffff:203.0.113.8', 'fe80::1', '::2', '', 'unknown'];
  expect(inside.filter(matches)).toEqual(inside);
  expect(outside.filter(matches)).toEqual([]);
});

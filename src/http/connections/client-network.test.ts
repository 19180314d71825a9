import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { clientNetworks, createRangeMatcher, tierLimit } from './client-network.ts';

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff::', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ['unix', ['unix']],
])('the address %s belongs to the networks %j', (address, networks) => {
  expect(clientNetworks(address)).toEqual(networks);
});

test('two addresses share exactly the networks in which both are', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(127), (parts, bit) => {
      const other = parts.map((part, at) => (at === Math.floor(bit / 16) ? part ^ (0x8000 >> (bit % 16)) : part));
      fc.pre(![parts, other].some((each) => new ipaddr.IPv6(each).isIPv4MappedAddress()));
      const textOf = (each: number[]) => each.map((part) => part.toString(16)).join(':');
      const networks = clientNetworks(textOf(parts));
      const shared = clientNetworks(textOf(other)).map((network, tier) => network === networks[tier]);
      expect(shared).toEqual([bit >= 64, bit >= 56, bit >= 48]);
    }),
    { seed: 1 },
  );
});

test.each([
  ['a limit without a total', [3], [3, 12, 48]],
  ['a quarter of a total', [25, 50], [25, 50, 50]],
  ['a small part of a total', [2, 50], [2, 8, 32]],
  ['more than half of a total', [80, 50], [80, 80, 80]],
] as const)(
  'wider networks have four and sixteen times as much, up to a maximum: %s',
  (_which, [limit, most], limits) => {
    expect([0, 1, 2].map((tier) => tierLimit(limit, tier, most))).toEqual(limits);
  },
);

test('ranges and single addresses match, even if IPv4 is written as IPv6', () => {
  const matches = createRangeMatcher(['10.0.0.0/8', '203.0.113.7', 'fd00::/8', '::1']);
  const inside = ['10.1.2.3', '::ffff:10.1.2.3', '203.0.113.7', 'fd12::1', '::1'];
  const outside = ['11.0.0.1', '203.0.113.8', '::ffff:203.0.113.8', 'fe80::1', '::2', '', 'unknown'];
  expect(inside.filter(matches)).toEqual(inside);
  expect(outside.filter(matches)).toEqual([]);
});

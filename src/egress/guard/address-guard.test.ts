import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createConnector } from '../connect.ts';
import { createAddressGuard, normaliseHost } from './address-guard.ts';

const guard = createAddressGuard([]);
const refuses = (url: string) => {
  try {
    guard.checkUrl(new URL(url));
    return false;
  } catch (error) {
    return (error as { code: string }).code === 'address_refused';
  }
};

describe('the address guard refuses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'ftp://example.com/',
    'file:///etc/passwd',
  ])('%s', (url) => expect(refuses(url)).toBe(true));
});

test.each([
  'http://1.1.1.1/',
  'https://8.8.8.8:8443/',
  'https://[2606:4700::1111]/',
  'http://[64:ff9b::8.8.8.8]/',
  'https://example.com/',
  'https://localhost.example.com/',
])('the address guard allows %s', (url) => expect(refuses(url)).toBe(false));

/**
 * The first and last address of every block in the IANA special-purpose registries that is not for hosts of the public
 * Internet.
 */
const specialBlocks = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '1fff:ffff::'],
  ['::1', '::1'],
  ['::8.8.8.8', '::ffff:0:8.8.8.8'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:8.8.8.8'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:0:7f00:1::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::', '2001:1f:ffff::'],
  ['2001:20::', '2001:2f:ffff::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002:808:808::', '2002:a9fe:a9fe::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff::'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff::'],
  ['fec0::', 'feff:ffff::'],
  ['ff00::', 'ff0e::1'],
] as const;

test.each(specialBlocks)('the address guard refuses the special-purpose block %s to %s', (first, last) => {
  expect([guard.permits(first), guard.permits(last)]).toEqual([false, false]);
});

test.each([
  ['1.0.0.0', '9.255.255.255'],
  ['11.0.0.0', '100.63.255.255'],
  ['100.128.0.0', '126.255.255.255'],
  ['168.63.129.15', '168.63.129.17'],
  ['169.253.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.1.0'],
  ['198.17.255.255', '198.20.0.0'],
  ['223.255.255.255', '203.0.114.0'],
  ['2000::', '2000:ffff::'],
  ['2001:200::', '2001:db7:ffff::'],
  ['2001:db9::', '2001:ffff::'],
  ['2003::', '3ffd:ffff::'],
  ['2606:4700::1111', '2620:4f:7fff:ffff::'],
  ['::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
])('the address guard allows %s and %s, next to special-purpose blocks', (first, last) => {
  expect([guard.permits(first), guard.permits(last)]).toEqual([true, true]);
});

const metadataAddresses = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.10.10',
  '169.254.42.42',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fd00:100::100:200',
  'fe80::a9fe:a9fe',
];

describe('the metadata service at', () => {
  const everything = createAddressGuard([ipaddr.parseCIDR('0.0.0.0/0'), ipaddr.parseCIDR('::/0')]);
  const spellings = (address: string) =>
    address.includes(':') ? [address, `${address}%eth0`] : [address, `::ffff:${address}`, `64:ff9b::${address}`];

  test.each(metadataAddresses)('%s is refused even within an allowed range', (address) => {
    for (const spelling of spellings(address)) {
      expect([guard.permits(spelling), everything.permits(spelling)]).toEqual([false, false]);
    }
  });

  test.each(metadataAddresses)('%s is allowed if the operator names exactly this address', (address) => {
    const bits = address.includes(':') ? 128 : 32;
    const exactGuard = createAddressGuard([ipaddr.parseCIDR(`${address}/${bits}`)]);
    for (const spelling of spellings(address)) expect(exactGuard.permits(spelling)).toBe(true);
  });
});

test('the address guard treats an IPv6 address that contains an IPv4 address like that IPv4 address', () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const address = bytes.join('.');
      const verdicts = [`::ffff:${address}`, `64:ff9b::${address}`].map(guard.permits);
      expect(verdicts).toEqual([guard.permits(address), guard.permits(address)]);
    }),
    { seed: 2, numRuns: propertyRuns(1000) },
  );
});

test('the address guard refuses IPv6 addresses outside of global unicast, except those with an IPv4 address inside', () => {
  const group = fc.nat(0xffff);
  const address = fc.tuple(group, group, group, group, group, group, group, group);
  fc.assert(
    fc.property(address, (groups) => {
      const text = groups.map((each) => each.toString(16)).join(':');
      const [first = 0, second = 0] = groups;
      const isGlobal = first >= 0x2000 && first <= 0x3fff;
      const isKnownBlock = (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || first === 0x2002;
      if (!isGlobal || isKnownBlock || first >= 0x3ffe) expect(guard.permits(text)).toBe(false);
    }),
    { seed: 3, numRuns: propertyRuns(5000) },
  );
});

describe('a host name', () => {
  const label = 'a'.repeat(63);
  const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`;
  const hostile = `a${'.'.repeat(16_000)}b.example`;

  test.each([
    ['one character too long', `${longest}a`],
    ['16,000 dots inside', hostile],
    ['16,000 dots at the end', `example.com${'.'.repeat(16_000)}`],
  ])('over 253 characters is refused: %s', (_what, host) => {
    expect(refuses(`http://${host}/`)).toBe(true);
  });

  test.each([longest, `${longest}.`])(
    'of exactly 253 characters is not refused, with or without the trailing dot of the root',
    (host) => expect(refuses(`http://${host}/`)).toBe(false),
  );

  test('that is too long is refused before it is resolved', async () => {
    let lookups = 0;
    const connect = createConnector(guard, [], (_name, _options, callback) => {
      lookups += 1;
      callback(null, []);
    });
    const refusal = await new Promise((resolve) => {
      connect({ hostname: hostile, protocol: 'http:', port: '80' }, (...[error]) => resolve(error));
    });
    expect(refusal).toMatchObject({ code: 'address_refused' });
    expect(lookups).toBe(0);
  });

  test('that is too long is checked in linear time', () => {
    const elapsed = startCpuClock();
    expect(() => normaliseHost(`a${'.'.repeat(100_000)}b`)).toThrow('has 100002 characters');
    expect(elapsed()).toBeLessThan(2_000);
  });
});

test("the address guard allows the operator's ranges and nothing outside them", () => {
  const lenient = createAddressGuard([ipaddr.parseCIDR('127.0.0.1/32'), ipaddr.parseCIDR('fd00::/8')]);
  expect(['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1'].map(lenient.permits)).toEqual([true, true, true]);
  expect(['127.0.0.2', '::1', 'fc00::1', '10.0.0.1'].map(lenient.permits)).toEqual([false, false, false, false]);
});

test('the address guard refuses every spelling of a private IPv4 address', () => {
  const privateAddress = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
  );
  const part = fc.constantFrom<(n: number) => string>(
    (n) => `${n}`,
    (n) => `0x${n.toString(16)}`,
    (n) => `0${n.toString(8)}`,
  );
  fc.assert(
    fc.property(
      privateAddress,
      fc.tuple(part, part, part, part),
      fc.constantFrom(1, 2, 3, 4),
      (bytes, write, parts) => {
        const tail = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
        const spelling = [...bytes.slice(0, parts - 1), tail].map((n, index) => (write[index] ?? String)(n));
        expect(refuses(`http://${spelling.join('.')}/`)).toBe(true);
      },
    ),
    { seed: 1 },
  );
});

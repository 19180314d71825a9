import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { createGuard } from './guard.ts';

const guard = createGuard([]);
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
])('the address guard lets %s through', (url) => expect(refuses(url)).toBe(false));

test('the operator can let ranges through, and nothing beside them', () => {
  const lenient = createGuard([ipaddr.parseCIDR('127.0.0.1/32'), ipaddr.parseCIDR('fd00::/8')]);
  expect(['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1'].map(lenient.permits)).toEqual([true, true, true]);
  expect(['127.0.0.2', '::1', 'fc00::1', '10.0.0.1'].map(lenient.permits)).toEqual([false, false, false, false]);
});

test('no spelling of a private IPv4 address gets through', () => {
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
        const written = [...bytes.slice(0, parts - 1), tail].map((n, index) => (write[index] ?? String)(n));
        expect(refuses(`http://${written.join('.')}/`)).toBe(true);
      },
    ),
    { seed: 1 },
  );
});

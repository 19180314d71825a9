import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionAddress, createForwardedClientReader, UNKNOWN_CLIENT } from './client-address.ts';
import { clientNetworks } from './connections/client-network.ts';

const PROXY = '10.0.0.1';
const client = '198.51.100.1';
const proxies = ['10.0.0.0/8', 'fd00::/8', '::ffff:192.0.2.0/120'];

function forwardedClientOf(forwarded: string | undefined, connection = PROXY, ranges = proxies): string | undefined {
  const headers = { ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), forwarded: 'for=192.0.2.9' };
  // The cast is safe: only the address of the socket is read.
  return createForwardedClientReader(ranges)({ headers, socket: { remoteAddress: connection } as never });
}

function clientOf(forwarded: string | undefined, connection = PROXY, ranges = proxies): string {
  return forwardedClientOf(forwarded, connection, ranges) ?? connectionAddress({ remoteAddress: connection });
}

test.each([
  ['no range is trusted', client, []],
  ['the connection is not from a trusted proxy', client, proxies],
  ['only an address next to it is trusted', '11.0.0.1', proxies],
])('the client is the address of the connection if %s', (_case, connection, ranges) => {
  for (const forwarded of [undefined, '192.0.2.1', '127.0.0.1', PROXY, 'unknown', ','])
    expect(clientOf(forwarded, connection, ranges)).toBe(connection);
});

test.each([
  ['one address', client, client],
  ['two lists that Node has joined', `192.0.2.1, ${client}`, client],
  ['proxies behind the client', `${client}, fd00::2, 10.9.9.9`, client],
  ['what the client claims', `127.0.0.1, ::1, ${PROXY}, ${client}`, client],
  ['what a client between two proxies claims', `${client}, 203.0.113.9, ${PROXY}`, '203.0.113.9'],
  ['tabs and empty elements', `6.6.6.6,\t${client}\t,, ${PROXY} ,`, client],
  ['a port', `${client}:4711`, client],
  ['a port of a proxy', `${client}, ${PROXY}:80, [fd00::1]:80`, client],
  ['quotes', `"${client}:1"`, client],
  ['IPv4 written as IPv6', `::ffff:${client}`, client],
  ['IPv4 written as IPv6 in hexadecimal', '::FFFF:c633:6401', client],
  ['a proxy written as IPv6', `${client}, ::ffff:10.0.0.7`, client],
  ['a proxy of a range written as IPv6', `${client}, 192.0.2.7`, client],
  ['IPv6 in another form', '2001:DB8:0:0::0:1', '2001:db8::1'],
  ['brackets', '[2001:db8::1]', '2001:db8::1'],
  ['brackets and a port', '[2001:db8::1]:443', '2001:db8::1'],
  ['a zone', 'fe80::1%eth0', 'fe80::1'],
  ['loopback', '127.0.0.1', '127.0.0.1'],
  ['only proxies', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['nothing', undefined, PROXY],
  ['an empty list', ' , ,', PROXY],
])('behind a trusted proxy, the client is found in X-Forwarded-For with %s', (_case, forwarded, expected) => {
  expect(clientOf(forwarded)).toBe(expected);
  expect(clientOf(forwarded, `::ffff:${PROXY}`)).toBe(expected);
});

test.each([
  'unknown',
  '_hidden',
  `${client}, garbage`,
  `${client}, unknown, ${PROXY}`,
  'for=1.2.3.4',
  '0x7f.1',
  '2130706433',
  '127.1',
  '1.2.3.4.5',
  '[::1',
  '1.2.3.4:80:90',
  '１２７.0.0.1',
  'x'.repeat(60_000),
  `6.6.6.6,${Array(9_000).fill('::1').join()},fd00::1%${'x'.repeat(200)}`,
  Array(9_000).fill(PROXY).join(),
  ','.repeat(60_000),
])('behind a trusted proxy, everything that is no address is one unknown client: %.40s', (forwarded) => {
  expect(clientOf(forwarded)).toBe(UNKNOWN_CLIENT);
});

test.each([
  ['the address of a client', client, client],
  ['the address of another proxy', '10.0.0.2', '10.0.0.2'],
  ['the address of the connected proxy', PROXY, PROXY],
  ['only proxies', `10.0.0.3, ${PROXY}`, '10.0.0.3'],
  ['no address', 'garbage', UNKNOWN_CLIENT],
  ['nothing', undefined, undefined],
  ['an empty list', ' , ,', undefined],
])('a trusted proxy forwards a request for whom it states, not for itself: %s', (_case, forwarded, expected) => {
  expect(forwardedClientOf(forwarded)).toBe(expected);
  expect(forwardedClientOf(forwarded, '11.0.0.1')).toBeUndefined();
});

test('a closed connection has an unknown client', () => {
  expect(clientOf(client, '')).toBe(UNKNOWN_CLIENT);
});

test('the client is no proxy, has one text in every form, and never comes from the left of an untrusted address', () => {
  const ipv4 = fc.ipV4().filter((address) => !/^(?:10|192\.0\.2)\./.test(address));
  const forms = ipv4.chain((address) =>
    fc.constantFrom(
      address,
      `${address}:80`,
      `"${address}"`,
      `::ffff:${address}`,
      `[::ffff:${address}]:1`,
      `[${address}]`,
    ),
  );
  const claim = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constantFrom(PROXY, '127.0.0.1', '::1', 'unknown'));
  fc.assert(
    fc.property(
      fc.array(claim),
      forms,
      fc.array(fc.constantFrom(PROXY, 'fd00::9', '10.2.3.4:5')),
      (claims, form, hops) => {
        const plain = /(\d+\.){3}\d+/.exec(form)?.[0];
        const found = clientOf([...claims, form, ...hops].join(', '));
        expect(found).toBe(plain);
        expect(clientNetworks(found)).toEqual([plain]);
      },
    ),
    { seed: 1 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { readCountryProxy, readDefaultExit, readProxy } from './proxy-server.ts';

test.each([
  ['fr=http://u:p@proxy.example:3128', { country: 'FR', host: 'proxy.example', port: 3128, protocol: 'http:' }],
  ['GB=https://proxy.example', { country: 'GB', port: 443, protocol: 'https:' }],
  ['us = socks5://[2001:db8::1]', { country: 'US', host: '2001:db8::1', port: 1080, protocol: 'socks5:' }],
  ['xk=http://proxy.example/', { country: 'XK', port: 80 }],
])('readCountryProxy reads %s as a proxy with a country', (text, { country, ...server }) => {
  expect(readCountryProxy(text)).toMatchObject({ country, server });
});

test('readCountryProxy reads worldwide as a proxy without a country', () => {
  expect(readCountryProxy('worldwide=http://a')).toEqual({ server: { protocol: 'http:', host: 'a', port: 80 } });
});

test.each([
  'http://user:secret@proxy.example',
  'zz=http://user:secret@proxy.example',
  '=http://user:secret@proxy.example',
  'fr=ftp://user:secret@proxy.example',
  'fr=user:secret@proxy.example',
  'fr=http://user:secret@proxy.example/path',
  'fr=http://user:secret@proxy.example?query',
  'fr=http://user:secret%zz@proxy.example',
  'fr=http://us%3Aer:secret@proxy.example',
  `fr=http://user:${'secret'.repeat(50)}@proxy.example`,
  'fr=socks5://',
  'fr=http://proxy.example:0x50:secret',
  'fr=',
  '',
])('readCountryProxy rejects %s with a message that contains no secret', (text) => {
  const parse = () => readCountryProxy(text);
  expect(parse).toThrow(/^must /);
  expect(parse).not.toThrow(/secret/);
});

describe('credentials', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });

  test('are decoded with any characters', () => {
    fc.assert(
      fc.property(text, text, (user, password) => {
        const url = `socks5://${encodeURIComponent(user)}:${encodeURIComponent(password)}@proxy.example:1`;
        expect(readProxy(url).credentials).toEqual({ user, password });
      }),
      { seed: 1 },
    );
  });

  test('in arbitrary text are read or rejected', () => {
    fc.assert(
      fc.property(fc.constantFrom('fr=http://', 'us=socks5://', ''), fc.string({ maxLength: 60 }), (head, rest) => {
        try {
          expect(readCountryProxy(head + rest).server.port).toBeGreaterThan(0);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: must /);
        }
      }),
      { seed: 1, numRuns: propertyRuns(500) },
    );
  });
});

test('readDefaultExit reads a country, worldwide or direct', () => {
  expect(['fr', 'WORLDWIDE', 'Direct'].map(readDefaultExit)).toEqual(['FR', 'worldwide', 'direct']);
  expect(() => readDefaultExit('zz')).toThrow(/must be/);
});

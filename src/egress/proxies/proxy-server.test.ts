import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { readCountryProxy, readDefaultExit, readProxy } from './proxy-server.ts';

test.each([
  ['fr=http://u:p@proxy.example:3128', { country: 'FR', host: 'proxy.example', port: 3128, protocol: 'http:' }],
  ['GB=https://proxy.example', { country: 'GB', port: 443, protocol: 'https:' }],
  ['us = socks5://[2001:db8::1]', { country: 'US', host: '2001:db8::1', port: 1080, protocol: 'socks5:' }],
  ['xk=http://proxy.example/', { country: 'XK', port: 80 }],
])('%s is a proxy of its country', (text, { country, ...server }) => {
  expect(readCountryProxy(text)).toMatchObject({ country, server });
});

test('worldwide has no country', () => {
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
])('%s is refused in words that repeat no secret', (text) => {
  const parse = () => readCountryProxy(text);
  expect(parse).toThrow(/^must /);
  expect(parse).not.toThrow(/secret/);
});

describe('credentials', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });

  test('of any characters are read as they were encoded', () => {
    fc.assert(
      fc.property(text, text, (user, password) => {
        const url = `socks5://${encodeURIComponent(user)}:${encodeURIComponent(password)}@proxy.example:1`;
        expect(readProxy(url).credentials).toEqual({ user, password });
      }),
      { seed: 1 },
    );
  });

  test('whatever stands there, it is read or refused', () => {
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

test('a place is a country, worldwide or direct', () => {
  expect(['fr', 'WORLDWIDE', 'Direct'].map(readDefaultExit)).toEqual(['FR', 'worldwide', 'direct']);
  expect(() => readDefaultExit('zz')).toThrow(/must be/);
});

import { randomBytes } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { isPassiveType, opaqueType } from '../contract/inert-media-types.ts';
import { inertFileHeaders } from '../http/inert-headers.ts';
import { createSealer } from '../sealing/sealer.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { openRelayLink, type RelayOrder, relayLink } from './relay-link.ts';
import { relayedHead } from './relayed-head.ts';

const order: RelayOrder = {
  url: 'https://cdn.example/a/seg-1.ts?x=.exe',
  headers: {},
  exit: 'direct',
  mediaType: 'application/octet-stream',
  owner: 'o',
  expiresAt: 2_000_000,
};
const url = order.url;

test('the relayed head contains the headers that describe the bytes and no others', () => {
  const headers = {
    'content-type': 'VIDEO/MP2T; x=y',
    'content-length': '10',
    'content-range': 'bytes 0-9/10',
    'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
    'set-cookie': ['a=1'],
    server: 'cdn',
    location: 'https://a.example/',
    'content-security-policy': 'none',
  };
  expect(relayedHead({ status: 206, headers, url }, order, true, 1_000_000)).toEqual({
    status: 206,
    headers: {
      ...inertFileHeaders({ type: 'video/mp2t', name: 'video.ts' }),
      'cache-control': 'private, max-age=1000',
      'content-length': '10',
      'content-range': 'bytes 0-9/10',
      'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
    },
  });
});

test.each([
  ['that has another length', { 'content-range': 'bytes 0-9/10', 'content-length': '9' }],
  ['without a place', { 'content-length': '10' }],
  ['that ends before it begins', { 'content-range': 'bytes 9-0/10' }],
  ['that is outside', { 'content-range': 'bytes */10' }],
])('a part %s is not relayed', (_what, headers) => {
  expect(() => relayedHead({ status: 206, headers, url }, order, true)).toThrow('a different range than requested');
});

test('a part without a length gets that of its place', () => {
  const { headers } = relayedHead({ status: 206, headers: { 'content-range': 'bytes 2-4/10' }, url }, order, true);
  expect(headers['content-length']).toBe('3');
});

test('the relayed head takes the file name from the link if the source sends no type', () => {
  const { headers } = relayedHead({ status: 200, headers: {}, url }, order, false);
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename=media.ts',
  });
});

test.each([
  ['https://cdn.example/a/page.html', 'media.bin'],
  ['https://cdn.example/a/setup.exe', 'media.bin'],
  ['https://cdn.example/a/drawing.svg', 'media.bin'],
  ['https://cdn.example/a/1.M4S', 'media.m4s'],
  ['https://cdn.example/', 'media.bin'],
])('the relayed head uses the extension of the link %s only for media types', (url, name) => {
  const { headers } = relayedHead({ status: 200, headers: {}, url }, { ...order, url }, false);
  expect(headers['content-disposition']).toBe(`attachment; filename=${name}`);
});

test('a file with a title is named by its sanitised title', () => {
  const headers = { 'content-type': 'image/jpeg' };
  const dispositionOf = (title: string) =>
    relayedHead({ status: 200, headers, url }, { ...order, title }, false).headers['content-disposition'];
  expect(dispositionOf('A "title": 1/2')).toBe('attachment; filename="A _title__ 1_2.jpeg"');
  expect(dispositionOf('橋\u202egpj')).toBe('attachment; filename="?gpj.jpeg"; filename*=UTF-8\'\'%E6%A9%8Bgpj.jpeg');
  expect(dispositionOf('..')).toBe('attachment; filename=image.jpeg');
});

test('the response headers are valid and state a type that browsers never run, whatever the source sends', () => {
  const names = ['content-type', 'content-length', 'content-range', 'etag', 'last-modified', 'accept-ranges'];
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'text/html',
      'video/mp4',
      'video/svg+xml',
      'image/x+xml',
      'video/mp4, text/html',
      'video/mp4\r\nx: y',
      '"a\n"',
      'bytes 1-2/3',
      'image/svg+xml',
      '12',
    ),
  );
  const head = fc.record({
    status: fc.constantFrom(200, 206, 403, 416, 500),
    headers: fc.dictionary(fc.constantFrom(...names, 'content-encoding'), value),
  });
  fc.assert(
    fc.property(head, fc.boolean(), value, ({ status, headers }, isRangeRequest, mediaType) => {
      try {
        const result = relayedHead({ status, headers, url }, { ...order, mediaType }, isRangeRequest);
        for (const [name, text] of Object.entries(result.headers)) validateHeaderValue(name, text);
        if (result.status === 416) return;
        const type = result.headers['content-type'] ?? '';
        expect(isPassiveType(type) || type === opaqueType).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(MillraceError);
      }
    }),
    { seed: 8, numRuns: propertyRuns(1_000) },
  );
});

const sealer = createSealer(['a secret of the tests']);

test('openRelayLink opens a relay link as it was created and rejects any other text', () => {
  const link = relayLink(sealer, 'https://api.example', order);
  const [, sealedOrder = '', name] = /^https:\/\/api\.example\/relay\/([\w-]+)\/(.+)$/.exec(link) ?? [];
  expect(name).toBe('media.ts');
  expect(openRelayLink(sealer, sealedOrder, 1_000_000)).toEqual(order);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => openRelayLink(sealer, text)).toThrow(MillraceError);
    }),
    { seed: 9 },
  );
});

test('relayLink rejects a link that is too long for a URL', () => {
  const long = `https://a.example/${randomBytes(6_000).toString('base64url')}`;
  expect(() => relayLink(sealer, 'https://api.example', { ...order, url: long })).toThrow('too long');
});

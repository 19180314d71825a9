import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { noSubjects } from '../../contract/subjects.ts';
import type { EndpointParameters } from '../../platforms/platform.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { openPages } from './page-tokens.ts';

const sealer = createSealer(['a secret of the tests']);
const query = { playlistId: 'PL1', lang: 'fr' };
const endpoint = 'p1/playlist';

function tokenFor(cursor: string, now = Date.now()): string {
  const token = openPages(sealer, endpoint, query, () => now).token(cursor, noSubjects);
  if (token === null) throw new Error('there is no token');
  return token;
}

function refusalOf(parameters: EndpointParameters, path = endpoint, now = Date.now()): unknown {
  try {
    return openPages(sealer, path, parameters, () => now).cursor;
  } catch (error) {
    return error;
  }
}

test('a page token restores its cursor', () => {
  const nextToken = tokenFor('the cursor');
  expect(openPages(sealer, endpoint, { lang: 'fr', playlistId: 'PL1', nextToken })).toMatchObject({
    cursor: 'the cursor',
  });
  expect(nextToken).toMatch(/^[\w-]+$/);
});

test('a page token keeps the subjects of its list, also for later pages that do not state them', () => {
  const subjects = { items: ['PL1'], channels: ['UC1'] };
  const second = openPages(sealer, endpoint, query).token('2', subjects) ?? '';
  const third = openPages(sealer, endpoint, { ...query, nextToken: second }).token('3', { channels: ['@one'] }) ?? '';
  expect(openPages(sealer, endpoint, { ...query, nextToken: third }).subjects).toEqual({
    items: ['PL1'],
    channels: ['UC1', '@one'],
  });
});

test('the first page has no cursor and the last page has no token', () => {
  const pages = openPages(sealer, endpoint, query);
  expect(pages).not.toHaveProperty('cursor');
  expect(pages.token(undefined, noSubjects)).toBeNull();
});

test.each<[string, EndpointParameters, string, number]>([
  ['another query', { ...query, playlistId: 'PL2', nextToken: tokenFor('c') }, endpoint, 0],
  ['a query with more parameters', { ...query, sortBy: 'new', nextToken: tokenFor('c') }, endpoint, 0],
  ['another endpoint', { ...query, nextToken: tokenFor('c') }, 'p1/hashtag', 0],
  ['over 15 minutes ago', { ...query, nextToken: tokenFor('c') }, endpoint, 15 * 60_000 + 1_000],
  ['an unknown issuer', { ...query, nextToken: 'abc' }, endpoint, 0],
  ['another kind of link', { ...query, nextToken: sealer.seal('file-link', [endpoint, '', 9e15, 'c']) }, endpoint, 0],
])('openPages rejects a token from %s', (_name, parameters, path, later) => {
  expect(refusalOf(parameters, path, Date.now() + later)).toMatchObject({
    code: 'invalid_token',
    parameter: 'nextToken',
    status: 400,
  });
});

test('a page token is valid for just under 15 minutes', () => {
  const nextToken = tokenFor('c', 1_000_000);
  expect(refusalOf({ ...query, nextToken }, endpoint, 1_000_000 + 899_000)).toBe('c');
});

test('a page token with a cursor of 3 KB fits into a URL, and a larger one is rejected', () => {
  expect(tokenFor(randomBytes(2_250).toString('base64')).length).toBeLessThan(6_000);
  expect(() => tokenFor(randomBytes(6_000).toString('base64'))).toThrow(MillraceError);
});

test('openPages rejects any altered token', () => {
  const token = tokenFor('a cursor');
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AQgw-_9'), (place, letter) => {
      const alteredToken = token.slice(0, place) + letter + token.slice(place + 1);
      const same = Buffer.from(alteredToken, 'base64url').equals(Buffer.from(token, 'base64url'));
      const outcome = refusalOf({ ...query, nextToken: alteredToken });
      if (same) expect(outcome).toBe('a cursor');
      else expect(outcome).toMatchObject({ code: 'invalid_token' });
    }),
    { seed: 3 },
  );
});

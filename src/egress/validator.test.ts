import { describe, expect, test } from 'vitest';
import { isSameVersion, validatorOf } from './validator.ts';

const [one, two] = ['Sun, 01 Nov 2026 10:00:00 GMT', 'Mon, 02 Nov 2026 10:00:00 GMT'];
type Headers = Readonly<Record<string, string>>;
const isSame = (known: Headers, next: Headers) => {
  const facts = [known, next].map((headers) => {
    const validator = validatorOf({ headers });
    return validator === undefined ? {} : { validator: validator.text };
  });
  return isSameVersion(facts[0] ?? {}, facts[1] ?? {});
};

describe('two responses are', () => {
  test.each<readonly [string, Headers, Headers]>([
    [
      'the same strong tag, whatever the date',
      { etag: '"1"', 'last-modified': one },
      { etag: '"1"', 'last-modified': two },
    ],
    ['the same weak tag', { etag: 'W/"1"' }, { etag: 'W/"1"' }],
    ['the same weak tag and date', { etag: 'W/"1"', 'last-modified': one }, { etag: 'W/"1"', 'last-modified': one }],
    ['the same date', { 'last-modified': one }, { 'last-modified': one }],
  ])('of one version with %s', (_what, known, next) => {
    expect(isSame(known, next)).toBe(true);
    expect(isSame(next, known)).toBe(true);
  });

  test.each<readonly [string, Headers, Headers]>([
    [
      'other strong tags, although the date is the same',
      { etag: '"1"', 'last-modified': one },
      { etag: '"2"', 'last-modified': one },
    ],
    ['other weak tags', { etag: 'W/"1"' }, { etag: 'W/"2"' }],
    [
      'the same weak tag, but another date',
      { etag: 'W/"1"', 'last-modified': one },
      { etag: 'W/"1"', 'last-modified': two },
    ],
    ['the same weak tag, and a date in one of them', { etag: 'W/"1"', 'last-modified': one }, { etag: 'W/"1"' }],
    ['a tag in one of them', { etag: '"1"', 'last-modified': one }, { 'last-modified': one }],
    ['a tag that is strong in one of them', { etag: '"1"' }, { etag: 'W/"1"' }],
    ['other dates', { 'last-modified': one }, { 'last-modified': two }],
    ['a date in one of them', { 'last-modified': one }, {}],
  ])('of two versions with %s', (_what, known, next) => {
    expect(isSame(known, next)).toBe(false);
    expect(isSame(next, known)).toBe(false);
  });
});

test('sizes tell versions apart, and are all that tells without validators', () => {
  expect(isSameVersion({ total: 1 }, { total: 1 })).toBe(true);
  expect(isSameVersion({ validator: '"1"', total: 1 }, { validator: '"1"', total: 2 })).toBe(false);
  expect(isSameVersion({ validator: '"1"', total: 1 }, { validator: '"2"', total: 1 })).toBe(false);
  expect(isSameVersion({ validator: '"1"', total: 1 }, { validator: '"1"' })).toBe(true);
  expect(isSameVersion({ total: 1 }, {})).toBeUndefined();
  expect(isSameVersion({}, {})).toBeUndefined();
});

test.each<readonly [string, Headers, boolean]>([
  ['a strong tag', { etag: '"1"' }, true],
  ['a weak tag', { etag: 'W/"1"', 'last-modified': one, date: two }, false],
  ['a date long before the response', { 'last-modified': one, date: two }, true],
  ['the date of the response', { 'last-modified': one, date: one }, false],
  ['a date in a response without one', { 'last-modified': one }, false],
  ['a date that cannot be read', { 'last-modified': 'yesterday', date: one }, false],
])('proves the same bytes much later: %s (%#)', (_what, headers, isStrong) => {
  expect(validatorOf({ headers })?.isStrong).toBe(isStrong);
});

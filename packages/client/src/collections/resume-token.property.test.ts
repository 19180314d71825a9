import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../src/testing/property-runs.ts';
import { type Position, readResumeToken, writeResumeToken } from './resume-token.ts';

const runs = { numRuns: propertyRuns(300), seed: 7 };
const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const optionalText = fc.option(anyText, { nil: undefined });

const anyPosition: fc.Arbitrary<Position> = fc
  .record({
    list: fc.nat(10),
    offset: fc.nat(100_000),
    more: fc.nat(100_000),
    id: optionalText,
    pageToken: optionalText,
  })
  .map(({ offset, more, ...position }) => ({ ...position, offset, index: offset + more }));

const isPosition = ({ list, offset, index, id, pageToken }: Position) =>
  [list, offset, index].every((number) => Number.isSafeInteger(number) && number >= 0 && number <= 1_000_000) &&
  [id, pageToken].every((text) => text === undefined || typeof text === 'string');

describe('a resume token', () => {
  it('returns the position that it was made from, for its collection only', () => {
    fc.assert(
      fc.property(anyPosition, anyText, anyText, (position, collection, other) => {
        const token = writeResumeToken(collection, position);
        expect(token).toMatch(/^[\w-]+$/);
        expect(readResumeToken(collection, token)).toEqual(position);
        if (other !== collection) expect(readResumeToken(other, token)).toBeUndefined();
      }),
      runs,
    );
  });

  it('is a valid position or refused, whatever is changed in it', () => {
    const changes = fc.array(fc.tuple(fc.nat(400), fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(anyPosition, changes, (position, edits) => {
        let token = writeResumeToken('p1 playlist', position);
        for (const [place, text] of edits) token = token.slice(0, place) + text + token.slice(place + 1);
        const read = readResumeToken('p1 playlist', token);
        expect(read === undefined || isPosition(read)).toBe(true);
      }),
      runs,
    );
  });

  it('is a valid position or refused, for any JSON', () => {
    const members = fc.tuple(fc.constant('p1 playlist'), ...[1, 2, 3, 4, 5].map(() => fc.jsonValue()));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), members), (value) => {
        const token = Buffer.from(JSON.stringify(value)).toString('base64url');
        const read = readResumeToken('p1 playlist', token);
        expect(read === undefined || isPosition(read)).toBe(true);
      }),
      runs,
    );
  });

  it.each([
    ['no text', ''],
    ['other characters', 'a=b'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64url')],
    ['more than 16,384 characters', 'W'.repeat(16_385)],
    [
      'more entries of a list than of the collection',
      Buffer.from('["p1 playlist",0,2,1,null,null]').toString('base64url'),
    ],
    ['a negative count', Buffer.from('["p1 playlist",0,-1,1,null,null]').toString('base64url')],
  ])('is refused: %s', (_, token) => {
    expect(readResumeToken('p1 playlist', token)).toBeUndefined();
  });
});

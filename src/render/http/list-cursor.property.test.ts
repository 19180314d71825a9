import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jobListQuery } from '../../contract/render-api/job-list-query.ts';
import { testSealer } from '../testing/job-database.ts';
import { openCursor, sealCursor } from './list-cursor.ts';

const positions = fc.record({
  createdAt: fc.bigInt({ min: 0n, max: 2n ** 60n }).map(String),
  id: fc.string({ minLength: 1, maxLength: 128, unit: fc.constantFrom(...'abzAZ09._:-') }),
});
const refusal = expect.objectContaining({ code: 'invalid_params', parameter: 'cursor' });

describe('a cursor', () => {
  test('opens to the position that was sealed, and fits into the query', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const cursor = sealCursor(testSealer, position);
        expect(jobListQuery.parse({ cursor })).toMatchObject({ cursor });
        expect(openCursor(testSealer, cursor)).toEqual(position);
      }),
    );
  });

  test('is rejected if any character was altered, removed or added, and if it is any other text', () => {
    const damage = fc.record({ at: fc.nat(400), by: fc.constantFrom('', 'A', 'B', '_', 'AA') });
    fc.assert(
      fc.property(positions, damage, fc.string(), (position, { at, by }, other) => {
        const cursor = sealCursor(testSealer, position);
        const index = at % cursor.length;
        const altered = `${cursor.slice(0, index)}${by}${cursor.slice(index + 1)}`;
        fc.pre(!Buffer.from(altered, 'base64url').equals(Buffer.from(cursor, 'base64url')));
        for (const text of [altered, other]) expect(() => openCursor(testSealer, text)).toThrow(refusal);
      }),
    );
  });

  test('of another purpose is rejected', () => {
    const sealed = testSealer.seal('page-token', ['1', 'a']);
    expect(() => openCursor(testSealer, sealed)).toThrow(refusal);
  });
});

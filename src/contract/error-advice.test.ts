import { expect, test } from 'vitest';
import { errorAdvice } from './error-advice.ts';
import { errorCatalogue } from './errors.ts';

test('advice covers every error code and no other', () => {
  expect(Object.keys(errorAdvice).toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
});

test.each(Object.entries(errorAdvice))('advice on %s consists of complete sentences', (_, { meaning, action }) => {
  for (const words of [meaning, action]) expect(words).toMatch(/^[A-Z].*\.$/);
});

import { expect, test } from 'vitest';
import { errorAdvice } from './error-advice.ts';
import { errorCatalogue } from './errors.ts';

test('there is advice on every code that answers tell, and on no other', () => {
  const answered = Object.entries(errorCatalogue).flatMap(([code, { origin }]) => (origin === 'job' ? [] : [code]));
  expect(Object.keys(errorAdvice).toSorted()).toEqual(answered.toSorted());
});

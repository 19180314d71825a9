import { expect, test } from 'vitest';
import { recogniseAll } from '#client/index.ts';
import { linkExamples } from './link-examples.ts';

/** IDs in the form of each platform. */
const ids: Readonly<Record<string, string>> = {
  p1: 'dQw4w9WgXcQ',
  p2: 'C1abcdefghi',
  p3: '770000000000001',
  p4: '7559142440960000001',
  p5: 'x8abcde',
  p6: '31454897393552949',
};

const examples = Object.entries(linkExamples).flatMap(([id, forms]) => forms.map((form) => [id, form] as const));

test.each(examples)('the example of %s, %s, is the form of a link that works', (id, form) => {
  const link = form.replaceAll('…', ids[id] ?? '');
  expect(recogniseAll(link).map(({ platform }) => platform)).toEqual([id]);
});

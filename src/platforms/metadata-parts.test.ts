import { expect, it } from 'vitest';
import { partAt, withoutParts } from './metadata-parts.ts';

const metadata = {
  title: 'A title',
  author: {
    reels: { contents: [{ id: 'a' }, { id: 'b', music: { id: 'm' }, shown: true }, { id: 'c' }], nextToken: null },
  },
};
const reels = ['author', 'reels', 'contents'];

it('metadata loses its parts, at the positions that they had in the source', () => {
  const paths = [[...reels, 0], [...reels, 1, 'music'], [...reels, 2], ['title']];
  expect(withoutParts(metadata, paths)).toEqual({
    author: { reels: { contents: [{ id: 'b', shown: true }], nextToken: null } },
  });
});

it('a part is found by its path', () => {
  expect([partAt(metadata, [...reels, 2]), partAt(metadata, ['author', 'photos', 0])]).toEqual([
    { id: 'c' },
    undefined,
  ]);
});

it('a part that is missing, or that is inside another part, changes nothing', () => {
  const missing = [
    [...reels, 7],
    ['author', 'photos', 'contents', 0],
    ['title', 'length'],
  ];
  expect(withoutParts(metadata, missing)).toEqual(metadata);
  expect(withoutParts(metadata, [...missing, ['author', 'reels'], [...reels, 0]])).toEqual({
    title: 'A title',
    author: {},
  });
  expect(withoutParts(metadata, [])).toBe(metadata);
});

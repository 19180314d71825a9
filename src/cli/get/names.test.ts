import { expect, test } from 'vitest';
import { createNames } from './names.ts';

const candidates = (title: string, number: number, ext = 'mp4') => [
  [`films/${title}.${ext}`],
  [`films/${title} (${number}).${ext}`],
];

test('titles that repeat get the number of their item', () => {
  const names = createNames();
  expect(names.claim(candidates('Film', 1))).toEqual(['films/Film.mp4']);
  expect(names.claim(candidates('Film', 2))).toEqual(['films/Film (2).mp4']);
  expect(names.claim(candidates('film', 3, 'webm'))).toEqual(['films/film (3).webm']);
  expect(names.claim(candidates('Another', 4))).toEqual(['films/Another.mp4']);
});

test.each([
  ['the form of its accents', 'Café', 'Cafe\u0301'],
  ['the width of its letters', 'Film', 'Ｆｉｌｍ'],
  ['case', 'STRASSE', 'Straße'],
])('a title that only differs in %s counts as repeated', (_what, first, second) => {
  const names = createNames();
  names.claim(candidates(first, 1));
  expect(names.claim(candidates(second, 2))).toEqual([`films/${second} (2).mp4`]);
});

test('all files of an item get other names if one of them is taken', () => {
  const names = createNames();
  names.claim([['a (2).jpg']]);
  expect(
    names.claim([
      ['a (1).jpg', 'a (2).jpg'],
      ['a (7) (1).jpg', 'a (7) (2).jpg'],
    ]),
  ).toEqual(['a (7) (1).jpg', 'a (7) (2).jpg']);
});

test('an item without a free name is refused', () => {
  const names = createNames();
  names.claim([['film.mp4']]);
  expect(() => names.claim([['film.mp4'], ['film.mp4']])).toThrow('already named film.mp4');
  expect(names.claim([['-']])).toEqual(['-']);
  expect(names.claim([['-']])).toEqual(['-']);
});

import { expect, test } from 'vitest';
import { formatTable, textWidth, truncate } from './table.ts';
import { clockTime } from './time-text.ts';

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [245, '4:05'],
  [3723, '1:02:03'],
  [-1, '0:00'],
])('clockTime formats %d seconds as %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text);
});

test.each([
  ['', 0],
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['👩', 2],
])('textWidth of %j is %d cells', (text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

test('truncate cuts a text to the given cells', () => {
  expect(truncate('abcdef', 6)).toBe('abcdef');
  expect(truncate('abcdefg', 6)).toBe('abcde…');
  expect(textWidth(truncate('日本日本日本', 6))).toBeLessThanOrEqual(6);
});

test('formatTable aligns columns whatever their content', () => {
  expect(
    formatTable([
      ['A', 'B'],
      ['日本', 'x'],
      ['a\nb\u001b[1m', 'y'],
    ]),
  ).toBe('A        B\n日本     x\na b [1m  y\n');
});

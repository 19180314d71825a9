import { describe, expect, test } from 'vitest';
import { clipBetween, clipTimeText, endsOf, moveEnd, typeEnd } from './clip-range.ts';

describe('a clip', () => {
  test('has ends, and is undefined if it is the whole item', () => {
    expect(endsOf(undefined, 30)).toEqual({ start: 0, end: 30 });
    expect(endsOf({ start: 5 }, 30)).toEqual({ start: 5, end: 30 });
    expect(clipBetween({ start: 0, end: 30 }, 30)).toBeUndefined();
    expect(clipBetween({ start: 5, end: 30 }, 30)).toEqual({ start: 5 });
    expect(clipBetween({ start: 0, end: 10 }, 30)).toEqual({ start: 0, end: 10 });
  });

  test('keeps its ends in the item and apart', () => {
    const ends = { start: 10, end: 20 };
    expect(moveEnd(ends, 'start', -5, 30)).toEqual({ start: 0, end: 20 });
    expect(moveEnd(ends, 'start', 25, 30)).toEqual({ start: 19.5, end: 20 });
    expect(moveEnd(ends, 'end', 99, 30)).toEqual({ start: 10, end: 30 });
    expect(moveEnd(ends, 'end', 3, 30)).toEqual({ start: 10, end: 10.5 });
    expect(moveEnd(ends, 'end', 15.26, 30)).toEqual({ start: 10, end: 15.3 });
  });
});

test.each([
  ['start', '15', { start: 15, end: 20 }],
  ['start', ' 0:12.25 ', { start: 12.25, end: 20 }],
  ['end', '0:00:25', { start: 10, end: 25 }],
  ['end', 'soon', 'format'],
  ['end', '', 'format'],
  ['end', '0:90', 'format'],
  ['end', '31', 'outside'],
  ['end', '10', 'order'],
  ['start', '20', 'order'],
] as const)('typing the %s %j gives %j', (which, text, expected) => {
  expect(typeEnd({ start: 10, end: 20 }, which, text, 30)).toEqual(expected);
});

test.each([
  [0, '0:00'],
  [83, '1:23'],
  [3723.5, '1:02:03.5'],
  [59.999, '0:59.999'],
  [0.1 + 0.2, '0:00.3'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(clipTimeText(seconds)).toBe(text);
});

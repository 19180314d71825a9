import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors/command-errors.ts';
import { parseItems } from './items.ts';

/** Returns the selected positions of a list with 20 items. */
function selected(text: string, count = 20): number[] {
  const selection = parseItems('items', text);
  return Array.from({ length: count }, (_, index) => index + 1).filter((at) => selection.includes(at, count));
}

describe('positions of items', () => {
  test.each([
    ['3', [3]],
    ['1-3,5', [1, 2, 3, 5]],
    ['1-3,15,-3:', [1, 2, 3, 15, 18, 19, 20]],
    ['18-', [18, 19, 20]],
    ['18:', [18, 19, 20]],
    [':3', [1, 2, 3]],
    ['1:10:4', [1, 5, 9]],
    ['::7', [1, 8, 15]],
    ['-1', [20]],
    [' 2 , 4 ', [2, 4]],
    [':-18', [1, 2, 3]],
    ['-3:-2', [18, 19]],
    ['-30:2', [1, 2]],
    ['30', []],
  ])('%s selects %j of 20', (text, expected) => {
    expect(selected(text)).toEqual(expected);
  });

  test('select nothing beyond a known last one', () => {
    expect(parseItems('items', '1-3,15').last).toBe(15);
    expect(parseItems('items', '4:').last).toBe(Number.POSITIVE_INFINITY);
    expect(parseItems('items', '-3:').countsFromEnd).toBe(true);
    expect(parseItems('items', '1,2').countsFromEnd).toBe(false);
  });

  test.each([
    '',
    '0',
    'x',
    '1,,2',
    '3-1',
    '-1:-3',
    '1:5:0',
    '1-2-3',
    '1.5',
    '99999999',
    '1000001',
    `1${',1'.repeat(200)}`,
  ])('%j is refused', (text) => {
    expect(() => parseItems('items', text)).toThrow(UsageError);
    expect(() => parseItems('items', text)).toThrow('--items must list positions');
  });
});

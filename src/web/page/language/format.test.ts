import { expect, test } from 'vitest';
import { bytesText, countText, durationText, timeText } from './format.ts';

test('numbers are formatted for people', () => {
  expect([0, 1_000, 1_440_000, 123_456_789, 3.5e9].map(bytesText)).toEqual([
    '0.0 kB',
    '1.0 kB',
    '1.4 MB',
    '123 MB',
    '3.5 GB',
  ]);
  expect([0, 59.6, 187, 3_750].map(durationText)).toEqual(['0:00', '1:00', '3:07', '1:02:30']);
  expect([0, 7.2, 60, 3_540, 3_600, 3_900].map((seconds) => timeText(seconds).replaceAll('\u00a0', ' '))).toEqual([
    '1 sec',
    '8 sec',
    '1 min',
    '59 min',
    '1 hr',
    '1 hr 5 min',
  ]);
  expect([999, 1_234_567].map(countText)).toEqual(['999', '1.2M']);
});

import { expect, test } from 'vitest';
import { chaptersOf } from './chapters.ts';

const result = (chapters: unknown) => ({ metadata: { additionalData: { chapters } } });

test('become clips, the last one up to the end', () => {
  const chapters = [
    { title: 'Start', startMs: 0 },
    { title: 'End', startMs: 93_500 },
  ];
  expect(chaptersOf(result(chapters))).toEqual([
    { number: 1, name: '01 Start', clip: '0-93.5' },
    { number: 2, name: '02 End', clip: '93.5-' },
  ]);
});

test('are sorted, and those of no length or without a time are left out', () => {
  const chapters = [{ title: 'B', startMs: 2000 }, null, { title: 'x' }, { title: 'A', startMs: 2000 }, { startMs: 0 }];
  expect(chaptersOf(result(chapters)).map(({ name, clip }) => [name, clip])).toEqual([
    ['01', '0-2'],
    ['02 B', '2-'],
  ]);
});

test.each([undefined, [], 'x', [{ title: 'A', startMs: -1 }]])('are missing in %j', (chapters) => {
  expect(() => chaptersOf(result(chapters))).toThrow('This link has no chapters.');
});

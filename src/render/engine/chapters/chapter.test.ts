import { describe, expect, it } from 'vitest';
import { addChapterEnds, type Chapter, maxChapters, normalizeChapters, placeChapters } from './chapter.ts';

const chapters = (...starts: number[]): Chapter[] => starts.map((start) => ({ start, title: `at ${start}` }));

describe('what a file says', () => {
  it('is put in order, without what makes no sense', () => {
    expect(normalizeChapters(chapters(5, 0, -1, Number.NaN, 2, Number.POSITIVE_INFINITY, 1e12))).toEqual(
      chapters(0, 2, 5),
    );
  });

  it('has bounds', () => {
    const many = Array.from({ length: 5000 }, (_, start) => ({ start, title: 'x'.repeat(10_000) }));
    const keptChapters = normalizeChapters(many);
    expect(keptChapters).toHaveLength(maxChapters);
    expect(keptChapters[0]?.title).toHaveLength(500);
  });

  it('has titles fit to print', () => {
    expect(normalizeChapters([{ start: 0, title: ' a\u0000\u001b[31m\nb\u202e ' }])).toEqual([
      { start: 0, title: 'a [31m b' },
    ]);
  });
});

describe('on the result’s clock', () => {
  it('chapters move with the media', () => {
    expect(placeChapters(chapters(30, 31.5), -30, 4).map(({ start }) => start)).toEqual([0, 1.5]);
  });

  it('those before the beginning go, but for the one that is on then', () => {
    expect(placeChapters(chapters(0, 10, 20, 30), -25, 100)).toEqual([
      { start: 0, title: 'at 20' },
      { start: 5, title: 'at 30' },
    ]);
    expect(placeChapters(chapters(0, 10), -25, 100)).toEqual([{ start: 0, title: 'at 10' }]);
    expect(placeChapters(chapters(0, 25), -25, 100)).toEqual([{ start: 0, title: 'at 25' }]);
  });

  it('those from the end on go', () => {
    expect(placeChapters(chapters(0, 3.9, 4, 9), 0, 4)).toEqual(chapters(0, 3.9));
    expect(placeChapters([], 0, 4)).toEqual([]);
  });

  it('each ends where the next one begins', () => {
    expect(addChapterEnds(chapters(1, 3), 7).map(({ end }) => end)).toEqual([3, 7]);
    expect(addChapterEnds(chapters(3), 2)[0]?.end).toBe(3);
  });
});

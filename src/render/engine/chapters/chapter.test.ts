import { describe, expect, it } from 'vitest';
import { addChapterEnds, type Chapter, maxChapters, normalizeChapters, placeChapters } from './chapter.ts';

const chapters = (...starts: number[]): Chapter[] => starts.map((start) => ({ start, title: `at ${start}` }));

describe('normalizeChapters', () => {
  it('sorts chapters and drops invalid ones', () => {
    expect(normalizeChapters(chapters(5, 0, -1, Number.NaN, 2, Number.POSITIVE_INFINITY, 1e12))).toEqual(
      chapters(0, 2, 5),
    );
  });

  it('limits the number of chapters and the length of their titles', () => {
    const many = Array.from({ length: 5000 }, (_, start) => ({ start, title: 'x'.repeat(10_000) }));
    const keptChapters = normalizeChapters(many);
    expect(keptChapters).toHaveLength(maxChapters);
    expect(keptChapters[0]?.title).toHaveLength(500);
  });

  it('makes titles printable', () => {
    expect(normalizeChapters([{ start: 0, title: ' a\u0000\u001b[31m\nb\u202e ' }])).toEqual([
      { start: 0, title: 'a [31m b' },
    ]);
  });
});

describe('chapters on the result’s clock', () => {
  it('move with the media', () => {
    expect(placeChapters(chapters(30, 31.5), -30, 4).map(({ start }) => start)).toEqual([0, 1.5]);
  });

  it('are left out if they end before the result begins', () => {
    expect(placeChapters(chapters(0, 10, 20, 30), -25, 100)).toEqual([
      { start: 0, title: 'at 20' },
      { start: 5, title: 'at 30' },
    ]);
    expect(placeChapters(chapters(0, 10), -25, 100)).toEqual([{ start: 0, title: 'at 10' }]);
    expect(placeChapters(chapters(0, 25), -25, 100)).toEqual([{ start: 0, title: 'at 25' }]);
  });

  it('are left out if they begin at or after the end of the result', () => {
    expect(placeChapters(chapters(0, 3.9, 4, 9), 0, 4)).toEqual(chapters(0, 3.9));
    expect(placeChapters([], 0, 4)).toEqual([]);
  });

  it('each end where the next one begins', () => {
    expect(addChapterEnds(chapters(1, 3), 7).map(({ end }) => end)).toEqual([3, 7]);
    expect(addChapterEnds(chapters(3), 2)[0]?.end).toBe(3);
  });
});

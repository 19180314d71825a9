import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CountedFetches, PlacedMark } from '../local-media-health.ts';
import { emptyMediaTally } from '../media-tally.ts';
import { createOutbox } from './outbox.ts';

const start = Date.UTC(2026, 10, 26, 14, 5);
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const place = { platform: 'p1', exit: 'fr-1' };
const fetches = (profile = 'first'): CountedFetches => ({
  place,
  profile,
  at: Date.now(),
  tally: { ...emptyMediaTally(), refused: 1 },
});
const mark = (item: string, isRefused = true): PlacedMark => ({
  place,
  profile: 'first',
  item,
  isRefused,
  bytes: 0,
  at: Date.now(),
});

describe('the outbox', () => {
  test('returns all fetches of a minute each time that they have changed', () => {
    const outbox = createOutbox();
    const refusals = () => outbox.take().counts.map(({ minute, tally }) => [minute - start / 60_000, tally.refused]);
    outbox.addFetches(fetches());
    expect(refusals()).toEqual([[0, 1]]);
    expect(refusals()).toEqual([]);
    outbox.addFetches(fetches());
    expect(refusals()).toEqual([[0, 2]]);
    vi.advanceTimersByTime(60_000);
    outbox.addFetches(fetches());
    expect(refusals()).toEqual([[1, 1]]);
  });

  test('returns changes again that were put back, with later changes', () => {
    const outbox = createOutbox();
    outbox.addFetches(fetches());
    outbox.addMark(mark('a'));
    outbox.addMark(mark('b'));
    const batch = outbox.take();
    outbox.addFetches(fetches());
    outbox.addMark(mark('a', false));
    vi.advanceTimersByTime(60_000);
    outbox.addFetches(fetches());
    outbox.putBack(batch);
    const { counts, marks } = outbox.take();
    expect(counts.map(({ tally }) => tally.refused)).toEqual([2, 1]);
    expect(marks.map(({ item, isRefused }) => [item, isRefused])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(outbox.take()).toEqual({ counts: [], marks: [] });
  });

  test('drops the oldest changes if nothing can be written', () => {
    const outbox = createOutbox();
    for (let number = 0; number < 1_500; number += 1) {
      outbox.addFetches(fetches(`profile ${number}`));
      outbox.addMark(mark(`item ${number}`));
    }
    const { counts, marks } = outbox.take();
    expect([counts.length, counts[0]?.profile, marks.length, marks[0]?.item]).toEqual([
      1_000,
      'profile 500',
      1_000,
      'item 500',
    ]);
  });
});

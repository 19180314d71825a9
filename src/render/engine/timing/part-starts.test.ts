import { describe, expect, it } from 'vitest';
import { continuesClock, type PartEnds, startOfNextPart } from './part-starts.ts';

describe('a file of the same section', () => {
  it.each([
    [4.1, true],
    [3.95, true],
    [12, true],
    [3.5, false],
    [15, false],
  ])('continues the clock at %d s after streams that end at 4 and 4.2 s: %s', (begin, expected) => {
    expect(continuesClock(begin, { earliest: 4, latest: 4.2 })).toBe(expected);
  });
});

describe('a file with its own clock', () => {
  const both: PartEnds = { earliest: 4, latest: 4.03, video: 4 };
  const audio: PartEnds = { earliest: 4.03, latest: 4.03 };

  it.each([
    ['has its first frame where the previous video ends', both, { lead: 0.02 }, 3.98],
    ['has its first frame there if audio ends first', { earliest: 3.9, latest: 4, video: 4 }, { lead: 0.02 }, 3.98],
    ['begins after audio that plays much longer than the video', { ...both, latest: 4.5 }, { lead: 0.02 }, 4.5],
    ['begins after all streams if its own video begins late', both, { lead: 1 }, 4.03],
    ['begins after all streams if it has no video', both, {}, 4.03],
    ['begins after all streams if the previous file has no video', audio, { lead: 0.02 }, 4.03],
    ['begins at its declared start if that is later', both, { lead: 0.02, declaredStart: 5 }, 5],
    ['begins after the video if its declared start is earlier', both, { lead: 0, declaredStart: 3.9 }, 4],
    ['overlaps the padding of audio if its declared start requires it', audio, { declaredStart: 4 }, 4],
    ['overlaps only padding', audio, { declaredStart: 3.5 }, 4.03],
  ])('%s', (_what, ends, beginning, expected) => {
    expect(startOfNextPart(ends, beginning)).toBeCloseTo(expected, 9);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { cueSheetBlock } from '../testing/cue-sheet-block.ts';
import { parseCueSheetBlock, parseCueSheetText } from './cue-sheet.ts';

describe('parseCueSheetBlock', () => {
  it('returns the audio tracks, each from its first index point on', () => {
    const block = cueSheetBlock([
      { number: 1, offset: 0, isrc: 'USRC17607839' },
      { number: 2, offset: 1000, points: { 0: 0, 1: 88_200, 2: 90_000 } },
      { number: 3, offset: 200_000, isAudio: false },
      { number: 170, offset: 300_000, points: {} },
      { number: 255, offset: 300_000, points: {} },
    ]);
    expect(parseCueSheetBlock(block)).toEqual([
      { number: 1, start: 0, title: 'USRC17607839' },
      { number: 2, start: 89_200, title: '' },
    ]);
  });

  it('reads any block back, and declines one that is cut short', () => {
    const offset = fc.nat(1_000_000_000);
    const track = fc.record({
      number: fc.integer({ min: 1, max: 99 }),
      offset,
      points: fc.record({ 0: offset, 1: offset }),
    });
    fc.assert(
      fc.property(fc.array(track, { minLength: 1, maxLength: 99 }), fc.nat(), (tracks, cut) => {
        const block = cueSheetBlock(tracks);
        const starts = tracks.map(({ number, offset: from, points }) => ({
          number,
          start: from + points[1],
          title: '',
        }));
        expect(parseCueSheetBlock(block)).toEqual(starts);
        expect(() => parseCueSheetBlock(block.subarray(0, cut % block.length))).toThrow(FastPathDeclined);
      }),
      { seed: 12, numRuns: propertyRuns(100) },
    );
  });
});

describe('parseCueSheetText', () => {
  const sheet = [
    'PERFORMER "Band"',
    'TITLE "Album"',
    'FILE "album.flac" WAVE',
    '  TRACK 01 AUDIO',
    '    TITLE "One: a \'quoted\' name"',
    '    INDEX 01 00:00:00',
    '  track 02 AUDIO',
    '    TITLE Two words',
    '    INDEX 00 03:58:00',
    '    INDEX 01 04:00:37',
    '  TRACK 03 AUDIO',
    '    INDEX 01 later',
  ];

  it('returns the tracks with a start', () => {
    expect(parseCueSheetText(sheet.join('\r\n'))).toEqual([
      { number: 1, start: 0, title: "One: a 'quoted' name" },
      { number: 2, start: 240 + 37 / 75, title: 'Two words' },
    ]);
  });

  it('returns none of a sheet for several files', () => {
    expect(parseCueSheetText([...sheet, 'FILE "second.flac" WAVE'].join('\n'))).toEqual([]);
  });

  it('reads any text', () => {
    const word = fc.constantFrom('FILE', 'TRACK', 'TITLE', 'INDEX', '01', '1', '99:59:74', '"', '"a"', ' ', '\n', '\r');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 8 }))), (words) => {
        for (const { start } of parseCueSheetText(words.join(' '))) expect(start).toBeGreaterThanOrEqual(0);
      }),
      { seed: 13, numRuns: propertyRuns(300) },
    );
  });
});

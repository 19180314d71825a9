import { describe, expect, it } from 'vitest';
import { readCaptions } from './captions.ts';
import { readStoryboards } from './storyboards.ts';

const track = (languageCode: string, kind?: string) => ({
  languageCode,
  kind,
  baseUrl: `/api/timedtext?lang=${languageCode}`,
});
const captions = (captionTracks: unknown[], rest: object = {}) =>
  readCaptions({ captions: { playerCaptionsTracklistRenderer: { captionTracks, ...rest } } });

describe('the primary captions', () => {
  it.each<[string, unknown[], object, [string, string] | undefined]>([
    [
      'are those the site turns on',
      [track('de'), track('en')],
      { audioTracks: [{ defaultCaptionTrackIndex: 1 }] },
      ['en', 'manual'],
    ],
    [
      'are those of the sound it plays',
      [track('de'), track('en')],
      { audioTracks: [{}, { defaultCaptionTrackIndex: 1 }], defaultAudioTrackIndex: 1 },
      ['en', 'manual'],
    ],
    [
      'are what people wrote in the spoken language',
      [track('fr'), track('de', 'asr'), track('de')],
      {},
      ['de', 'manual'],
    ],
    ['are what a machine heard', [track('fr'), track('de', 'asr')], {}, ['de', 'auto']],
    ['are the first', [track('fr'), track('de')], {}, ['fr', 'manual']],
    ['are none', [], { audioTracks: [{ defaultCaptionTrackIndex: 7 }] }, undefined],
    ['are none of another site', [{ ...track('fr'), baseUrl: 'https://a.example/api/timedtext' }], {}, undefined],
    ['are none of another page', [{ ...track('fr'), baseUrl: '/watch' }], {}, undefined],
  ])('%s', (_name, tracks, rest, expected) => {
    const { primary } = captions(tracks, rest);
    expect(primary && [primary.language, primary.kind]).toEqual(expected);
  });
});

describe('storyboards', () => {
  const readSpec = (spec: string) => readStoryboards({ storyboards: { playerStoryboardSpecRenderer: { spec } } });

  it('are parsed from one text', () => {
    const levels = '48#27#100#10#10#0#default#s$1|80#45#101#10#10#2000#M$M#t';
    expect(readSpec(`https://i.ytimg.com/sb/a/storyboard3_L$L/$N.jpg?sqp=b|${levels}`)).toEqual([
      {
        urlTemplate: 'https://i.ytimg.com/sb/a/storyboard3_L0/default.jpg?sqp=b&sigh=s%241',
        width: 48,
        height: 27,
        columns: 10,
        rows: 10,
        count: 100,
        sheets: 1,
      },
      {
        urlTemplate: 'https://i.ytimg.com/sb/a/storyboard3_L1/M$M.jpg?sqp=b&sigh=t',
        width: 80,
        height: 45,
        columns: 10,
        rows: 10,
        count: 101,
        sheets: 2,
        intervalMs: 2_000,
      },
    ]);
  });

  it.each(['', '|', 'https://a.example/|48#27', 'https://a.example/|48#0#1#1#1#0#a#b', 'no link|48#27#1#1#1#0#a#b'])(
    'are empty for %j',
    (spec) => {
      expect(readSpec(spec)).toEqual([]);
    },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Variant } from '../../hls/master-playlist.ts';
import { parsePlaylist } from '../../hls/testing/parse-playlist.ts';
import { rankVariants } from './rank-variants.ts';

/** Returns the variants of a master playlist with these attributes; the URL of each is its index. */
function variantsOf(...attributes: readonly string[]): readonly Variant[] {
  const lines = attributes.flatMap((list, index) => [`#EXT-X-STREAM-INF:${list}`, `https://a.example/${index}`]);
  const playlist = parsePlaylist(['#EXTM3U', ...lines].join('\n'), 'https://a.example/');
  return playlist.kind === 'master' ? playlist.variants : [];
}

const order = (...attributes: readonly string[]) =>
  rankVariants(variantsOf(...attributes), (codec) => codec === 'h264')
    .map(({ url }) => url.slice(-1))
    .join('');

describe('the best variant', () => {
  test.each([
    [
      'the largest picture, whatever its bandwidth',
      ['BANDWIDTH=9000,RESOLUTION=640x360', 'BANDWIDTH=6000,RESOLUTION=1920x1080'],
      '10',
    ],
    [
      'then the highest frame rate',
      ['BANDWIDTH=9,RESOLUTION=2x2,FRAME-RATE=30', 'BANDWIDTH=8,RESOLUTION=2x2,FRAME-RATE=59.94'],
      '10',
    ],
    [
      'then a codec that the result can store',
      [
        'BANDWIDTH=9,RESOLUTION=2x2,CODECS="hvc1.1.6.L93.B0,mp4a.40.2"',
        'BANDWIDTH=8,RESOLUTION=2x2,CODECS="avc1.64001f"',
      ],
      '10',
    ],
    ['then the highest bandwidth', ['BANDWIDTH=8,RESOLUTION=2x2', 'BANDWIDTH=9,RESOLUTION=2x2'], '10'],
    [
      'in SDR, even if HDR has a larger picture',
      ['BANDWIDTH=9,RESOLUTION=8x8,VIDEO-RANGE=PQ', 'BANDWIDTH=1,RESOLUTION=2x2'],
      '10',
    ],
    ['in HDR if there is nothing else', ['BANDWIDTH=1,VIDEO-RANGE=HLG', 'BANDWIDTH=2,VIDEO-RANGE=PQ'], '10'],
    [
      'in HDR if the only other one has no picture',
      [
        'BANDWIDTH=1,CODECS="mp4a.40.2"',
        'BANDWIDTH=9,RESOLUTION=8x8,VIDEO-RANGE=PQ,CODECS="hvc1.2.4.L153.B0,mp4a.40.2"',
      ],
      '10',
    ],
    ['the first of equal ones', ['BANDWIDTH=9,RESOLUTION=2x2', 'BANDWIDTH=9,RESOLUTION=2x2'], '01'],
    ['by bandwidth if the playlist says no more', ['BANDWIDTH=1', 'BANDWIDTH=3', 'BANDWIDTH=2'], '120'],
    [
      'one with a picture before one of unknown size',
      ['BANDWIDTH=99,CODECS="mp4a.40.2"', 'BANDWIDTH=9,RESOLUTION=2x2'],
      '10',
    ],
  ])('is %s', (_what, attributes, expected) => {
    expect(order(...attributes)).toBe(expected);
  });

  test('does not depend on the order of different variants', () => {
    const list = [
      'BANDWIDTH=1,RESOLUTION=2x2',
      'BANDWIDTH=2',
      'BANDWIDTH=3,RESOLUTION=4x4',
      'BANDWIDTH=4,VIDEO-RANGE=PQ',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(list, { minLength: 4 }), (shuffled) => {
        const ranked = rankVariants(variantsOf(...shuffled), () => true);
        expect(ranked.map(({ bandwidth }) => bandwidth)).toEqual([3, 1, 2, 4]);
      }),
      { seed: 50, numRuns: 30 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { distributeBits, type SizedMedia, smallestBytes } from './bit-rates.ts';
import { SizeSearch } from './size-search.ts';

/** Returns the sizes of all attempts with an encoder, which returns bytes for a bit rate. */
function search(maxBytes: number, seconds: number, encode: (bitsPerSecond: number) => number): number[] {
  const search = new SizeSearch(maxBytes);
  const sizes: number[] = [];
  for (let bits: number | undefined = search.first(seconds); bits !== undefined; ) {
    const bytes = encode(bits);
    sizes.push(bytes);
    bits = search.next(bits, bytes);
  }
  return sizes;
}

const reaches = (maxBytes: number) => (bytes: number) => bytes <= maxBytes && bytes >= 0.9 * maxBytes;

describe('SizeSearch', () => {
  it('reaches the goal with encoders that miss their bit rate steadily', () => {
    const factor = fc.double({ min: 0.4, max: 2.5, noNaN: true });
    const overhead = fc.integer({ min: 0, max: 30_000 });
    const curve = fc.double({ min: 0.6, max: 1.2, noNaN: true });
    const seconds = fc.integer({ min: 5, max: 10_000 });
    fc.assert(
      fc.property(factor, overhead, curve, seconds, (factor, overhead, curve, seconds) => {
        const maxBytes = 1_000_000;
        const first = (8 * maxBytes) / seconds;
        const sizes = search(maxBytes, seconds, (bits) => overhead + factor * maxBytes * (bits / first) ** curve);
        expect(sizes.some(reaches(maxBytes))).toBe(true);
        expect(sizes.length).toBeLessThanOrEqual(7);
      }),
      { seed: 23, numRuns: propertyRuns(500) },
    );
  });

  it('ends if the encoder uses no more bits', () => {
    expect(search(1_000_000, 10, () => 200_000)).toHaveLength(2);
  });

  it('reduces the bit rate strongly if the encoder hardly uses fewer bits', () => {
    const sizes = search(1_000_000, 10, (bits) => (bits > 300_000 ? 1_100_000 : 3.3 * bits));
    expect(sizes.some(reaches(1_000_000))).toBe(true);
  });

  it('ends after a few attempts if the encoder cannot use fewer bits', () => {
    expect(search(1_000_000, 10, () => 3_000_000)).toHaveLength(7);
  });
});

describe('distributeBits', () => {
  const video = { width: 1920, height: 1080, fps: 30 };
  const media: SizedMedia = {
    seconds: 60,
    videos: [video],
    audioStreams: 1,
    audioRange: { min: 24_000, max: 320_000 },
  };

  it('keeps the shape of video with enough bits', () => {
    expect(distributeBits(8_000_000, media)).toEqual({ audioBitrate: 128_000, videoBitrate: 7_872_000, video: {} });
  });

  it('reduces the size first, and then the number of frames', () => {
    expect(distributeBits(1_000_000, media)).toEqual({
      audioBitrate: 128_000,
      videoBitrate: 872_000,
      video: { maxHeight: 640 },
    });
    const { video: shape } = distributeBits(60_000, media);
    expect(shape).toMatchObject({ maxHeight: 144 });
    expect(shape?.maxFps).toBeCloseTo(20.3, 0);
  });

  it('gives all bits to audio without video, within the limits of its encoder', () => {
    expect(distributeBits(64_000, { ...media, videos: [] })).toEqual({ audioBitrate: 64_000 });
    expect(distributeBits(9_000_000, { ...media, videos: [] })).toEqual({ audioBitrate: 320_000 });
    expect(distributeBits(1000, { ...media, videos: [], audioStreams: 2 })).toEqual({ audioBitrate: 24_000 });
  });

  it('keeps a requested bit rate of audio', () => {
    const requested = { ...media, requestedAudioBitrate: 96_000 };
    expect(distributeBits(500_000, requested)).toMatchObject({ audioBitrate: 96_000, videoBitrate: 404_000 });
    expect(smallestBytes(requested)).toBe((60 * (96_000 + 16_000)) / 8);
  });
});

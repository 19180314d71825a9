import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { boundedSize, fittedSize, slideshowSize } from './image-size.ts';
import { imageAt, scheduleSlideshow } from './schedule.ts';

test('repeats the images until the sound ends', () => {
  const schedule = scheduleSlideshow(2, 3, 10);
  expect(schedule).toEqual({ rate: 25, frames: 250, framesPerImage: 75, groupFrames: 75 });
  expect([0, 74, 75, 149, 150, 249].map((frame) => imageAt(frame, schedule, 2))).toEqual([0, 0, 1, 1, 0, 1]);
});

test('has no more frames per second than requested', () => {
  expect(scheduleSlideshow(2, 3, 0, 10.5)).toEqual({ rate: 10, frames: 60, framesPerImage: 30, groupFrames: 30 });
  expect(scheduleSlideshow(1, 3, 0, 60)).toMatchObject({ rate: 25 });
});

test('has a key frame at least every ten seconds', () => {
  expect(scheduleSlideshow(1, 60, 0)).toEqual({ rate: 25, frames: 1500, framesPerImage: 1500, groupFrames: 250 });
  expect(scheduleSlideshow(1, 11, 0)).toEqual({ rate: 25, frames: 276, framesPerImage: 276, groupFrames: 138 });
});

test('shows each image at least once, for about the requested time, from a key frame on', () => {
  const seconds = fc.double({ min: 0.5, max: 60, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      seconds,
      fc.double({ min: 0, max: 7200, noNaN: true }),
      (count, each, sound) => {
        const { rate, frames, framesPerImage, groupFrames } = scheduleSlideshow(count, each, sound);
        expect(framesPerImage % groupFrames).toBe(0);
        expect(Math.abs(framesPerImage / rate - each)).toBeLessThan(0.13);
        expect(frames).toBeGreaterThanOrEqual(count * framesPerImage);
        expect(frames / rate).toBeGreaterThanOrEqual(sound);
      },
    ),
    { seed: 23, numRuns: propertyRuns(300) },
  );
});

test('has the size of its largest image, at most 1920 pixels', () => {
  expect(boundedSize({ width: 4000, height: 3001 })).toEqual({ width: 1920, height: 1440 });
  expect(boundedSize({ width: 151, height: 97 })).toEqual({ width: 152, height: 98 });
  const sizes = [
    { width: 100, height: 100 },
    { width: 300, height: 200 },
    { width: 200, height: 300 },
  ];
  expect(slideshowSize(sizes)).toEqual({ width: 300, height: 200 });
});

test('fits every image into its frame', () => {
  const side = fc.integer({ min: 1, max: 60_000 });
  const even = fc.integer({ min: 1, max: 960 }).map((half) => 2 * half);
  fc.assert(
    fc.property(side, side, even, even, (width, height, frameWidth, frameHeight) => {
      const fitted = fittedSize({ width, height }, { width: frameWidth, height: frameHeight });
      expect(fitted.width % 2).toBe(0);
      expect(fitted.height % 2).toBe(0);
      expect(fitted.width).toBeLessThanOrEqual(frameWidth);
      expect(fitted.height).toBeLessThanOrEqual(frameHeight);
      expect(fitted.width === frameWidth || fitted.height === frameHeight).toBe(true);
    }),
    { seed: 23, numRuns: propertyRuns(500) },
  );
});

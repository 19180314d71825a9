import { expect, test } from 'vitest';
import { keepDisplayAspect } from './pixel-aspect.ts';

const shape = (width: number, height: number, num = 0, den = 1) => ({
  width,
  height,
  sampleAspectRatio: { num, den },
});

test.each([
  ['the same size', shape(640, 360), shape(640, 360), []],
  ['an odd size', shape(641, 361), shape(640, 360), []],
  ['the same aspect ratio', shape(256, 144), shape(640, 360), []],
  ['the same aspect ratio by its pixel shape', shape(720, 576, 64, 45), shape(1280, 720), []],
  ['a narrower frame', shape(640, 480), shape(1280, 720), ['w=960:h=720', 'w=1280:h=720:x=-1:y=-1']],
  ['a wider frame', shape(1920, 800), shape(1280, 720, 1, 1), ['w=1280:h=534', 'w=1280:h=720:x=-1:y=-1']],
])('keepDisplayAspect fits %s', (_what, from, first, expected) => {
  expect(keepDisplayAspect(from, first, { width: 1280, height: 720 }).map(([, args]) => args)).toEqual(expected);
});

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
  ['the same proportions', shape(256, 144), shape(640, 360), []],
  ['the same proportions by its pixels', shape(720, 576, 64, 45), shape(1280, 720), []],
  ['a narrower picture', shape(640, 480), shape(1280, 720), ['w=960:h=720', 'w=1280:h=720:x=-1:y=-1']],
  ['a wider picture', shape(1920, 800), shape(1280, 720, 1, 1), ['w=1280:h=534', 'w=1280:h=720:x=-1:y=-1']],
])('%s is fitted', (_what, from, first, expected) => {
  expect(keepDisplayAspect(from, first, { width: 1280, height: 720 }).map(([, args]) => args)).toEqual(expected);
});

import { describe, expect, test } from 'vitest';
import { requireProportionate } from './excerpt-bounds.ts';

const [MB, GB] = [1e6, 1e9];

/** Checks an excerpt of some seconds and bytes of a file of a duration and a size. */
function check(seconds: number | undefined, bytes: number, duration: number | undefined, size: number): void {
  const end = seconds === undefined ? {} : { end: 100 + seconds };
  const excerpt = { parts: [Buffer.alloc(10), { from: 500, end: 500 + bytes }], start: 100, ...end };
  requireProportionate(duration === undefined ? {} : { duration }, excerpt, size, 'Input 1');
}

describe('an excerpt is fetched', () => {
  test.each([
    ['3 s of a recording of four hours', 3, 2 * MB, 14_400, 9 * GB],
    ['a minute of an Ultra HD Blu-ray disc at its highest rate', 60, 960 * MB, 7200, 90 * GB],
    ['10 s of ProRes at 1.8 Gbit/s', 10, 2.25 * GB, 600, 135 * GB],
    ['a minute of motion in ten hours of slides', 60, 150 * MB, 36_000, 900 * MB],
    ['3 s with fonts of 120 MB', 3, 125 * MB, 1400, 1 * GB],
    ['ten minutes, which are the distance of its cues', 600, 375 * MB, 14_400, 9 * GB],
    ['all of a short file', 12, 4.9 * GB, 12, 4.9 * GB],
    ['the part of a file whose index states no end', undefined, 4.7 * GB, undefined, 4.9 * GB],
    ['3 s of a file without a duration', 3, 150 * MB, undefined, 4.9 * GB],
  ] as const)('%s', (_what, seconds, bytes, duration, size) => {
    expect(() => check(seconds, bytes, duration, size)).not.toThrow();
  });
});

describe('an excerpt is refused', () => {
  test.each([
    ['3 s that are spread over all of its file', 3, 4.7 * GB, 600, 4.9 * GB],
    ['3 s that are spread over a third of its file', 3, 1.6 * GB, 600, 4.9 * GB],
    ['3 s without a duration', 3, 4.7 * GB, undefined, 4.9 * GB],
    ['no seconds', 0, 200 * MB, 600, 4.9 * GB],
    ['seconds before its start', -5, 200 * MB, 600, 4.9 * GB],
  ] as const)('%s', (_what, seconds, bytes, duration, size) => {
    expect(() => check(seconds, bytes, duration, size)).toThrow(
      expect.objectContaining({ code: 'input_unreadable', message: expect.stringContaining('Render all of it') }),
    );
  });
});

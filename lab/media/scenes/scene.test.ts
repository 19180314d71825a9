import { describe, expect, test } from 'vitest';
import { drawScene, isSubject, motifNames } from './scene.ts';

const sizes = [
  [160, 90],
  [90, 90],
  [72, 90],
  [41, 23],
] as const;

describe.each([...motifNames, 'portrait'] as const)('the subject %s', (subject) => {
  test.each(sizes)('fills %i by %i pixels', (width, height) => {
    const pixels = drawScene({ subject, seed: 'a', isThumbnail: true, width, height });
    const luma = pixels.subarray(0, width * height);
    const chroma = Math.ceil(width / 2) * Math.ceil(height / 2);
    expect(pixels).toHaveLength(width * height + 2 * chroma);
    expect(new Set(luma).size).toBeGreaterThan(20);
  });

  test('depends only on its seed', () => {
    const scene = { subject, isThumbnail: false, width: 80, height: 45 };
    const first = drawScene({ ...scene, seed: 'a' });
    expect(drawScene({ ...scene, seed: 'a' })).toEqual(first);
    expect(drawScene({ ...scene, seed: 'b' })).not.toEqual(first);
  });
});

test('no other name is a subject', () => {
  expect(['', 'toString', 'still', 'Bridge'].filter(isSubject)).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import {
  isRightAngled,
  isSameOrientation,
  type Orientation,
  readOrientation,
  rotationBetween,
  upright,
} from './orientation.ts';

const one = 1 << 16;
const matrix = (a: number, b: number, c: number, d: number) => {
  const numbers = new Int32Array([a, b, 0, c, d, 0, 0, 0, 1 << 30]);
  return Buffer.from(numbers.buffer);
};

describe('readOrientation', () => {
  it.each<[string, Buffer | null, Orientation]>([
    ['none', null, upright],
    ['too short', Buffer.alloc(4), upright],
    ['zeros', Buffer.alloc(36), upright],
    ['identity', matrix(one, 0, 0, one), upright],
    ['90°', matrix(0, one, -one, 0), [0, 1, -1, 0]],
    ['90°, scaled and rounded', matrix(3, 2 * one, -2 * one, -3), [0, 1, -1, 0]],
    ['mirrored', matrix(-one, 0, 0, one), [-1, 0, 0, 1]],
  ])('reads a matrix: %s', (_what, bytes, expected) => {
    const orientation = readOrientation(bytes);
    expect(isSameOrientation(orientation, expected), `${orientation}`).toBe(true);
    expect(isRightAngled(orientation)).toBe(true);
  });

  it('supports any angle', () => {
    const half = Math.round(one * Math.SQRT1_2);
    const orientation = readOrientation(matrix(half, half, -half, half));
    expect(isRightAngled(orientation)).toBe(false);
    expect(rotationBetween(orientation, orientation)).toEqual(upright);
    expect(rotationBetween(orientation, upright)).toBeUndefined();
  });
});

const unit = [upright, [-1, 0, 0, -1], [1, 0, 0, -1], [-1, 0, 0, 1]] as const;
const crossedMatrix = [
  [0, 1, -1, 0],
  [0, -1, 1, 0],
  [0, 1, 1, 0],
  [0, -1, -1, 0],
] as const;
const eight: readonly Orientation[] = [...unit, ...crossedMatrix];

it.each(eight.flatMap((from) => eight.map((to) => [from, to] as const)))(
  'frames with orientation %j that are rotated and then displayed with %j look as intended',
  (from, to) => {
    expect(product(rotationBetween(from, to) ?? upright, to)).toEqual(from);
  },
);

function product([a, b, c, d]: Orientation, [e, f, g, h]: Orientation): number[] {
  return [a * e + b * g + 0, a * f + b * h + 0, c * e + d * g + 0, c * f + d * h + 0];
}

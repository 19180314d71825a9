/**
 * How players rotate and mirror the frames of a video before display: the upper left part of its display matrix, row by
 * row (ISO/IEC 14496-12 §6.2.2). Multiples of 90° contain only the numbers -1, 0 and 1.
 */
export type Orientation = readonly [a: number, b: number, c: number, d: number];

/** Frames are displayed unchanged. */
export const upright: Orientation = [1, 0, 0, 1];

/** Fraction of the larger number in a row below which the other number is a rounding error. */
const tolerance = 0.01;

/**
 * Reads a display matrix as FFmpeg stores it: nine little-endian 32-bit integers. Returns upright for a missing or
 * invalid matrix.
 */
export function readOrientation(matrix: Buffer | null): Orientation {
  if (matrix === null || matrix.length < 36) return upright;
  const [a, b] = directionOf(matrix.readInt32LE(0), matrix.readInt32LE(4));
  const [c, d] = directionOf(matrix.readInt32LE(12), matrix.readInt32LE(16));
  return a * d - b * c === 0 ? upright : [a, b, c, d];
}

/** Whether players apply the same rotation and mirroring for both. */
export function isSameOrientation(one: Orientation, other: Orientation): boolean {
  return one.every((number, at) => number === other[at]);
}

/** Whether an orientation is a multiple of 90°, mirrored or not. */
export function isRightAngled([a, b, c, d]: Orientation): boolean {
  return (b === 0 && c === 0) || (a === 0 && d === 0);
}

/**
 * Returns the rotation to apply to frames with orientation `from` so that they look correct when players apply
 * orientation `to`.
 *
 * @returns Undefined unless both are the same or right-angled.
 */
export function rotationBetween(from: Orientation, to: Orientation): Orientation | undefined {
  if (isSameOrientation(from, to)) return upright;
  if (!isRightAngled(from) || !isRightAngled(to)) return undefined;
  const [a, b, c, d] = from;
  const [e, f, g, h] = to;
  // The inverse of such a matrix is its transpose. Adding 0 turns -0 into 0.
  return [a * e + b * f + 0, a * g + b * h + 0, c * e + d * f + 0, c * g + d * h + 0];
}

/** Returns a matrix row without its scale. */
function directionOf(x: number, y: number): readonly [number, number] {
  const size = Math.max(Math.abs(x), Math.abs(y));
  if (Math.abs(y) <= size * tolerance) return [Math.sign(x), 0];
  if (Math.abs(x) <= size * tolerance) return [0, Math.sign(y)];
  const length = Math.hypot(x, y);
  return [Math.round((100 * x) / length) / 100, Math.round((100 * y) / length) / 100];
}

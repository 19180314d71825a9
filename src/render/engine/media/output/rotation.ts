import { MillraceError } from '../../../../contract/errors.ts';
import { type Orientation, rotationBetween } from '../../formats/orientation.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import type { NamedStream } from '../sink.ts';
import type { FilterSpec } from './filter-chain.ts';
import type { FrameShape } from './pixel-aspect.ts';

/**
 * Returns the rotation to apply to the frames of a stream in a result that players rotate by `target`.
 *
 * @throws MillraceError `source_unsupported` if it is not a multiple of 90°.
 */
export function rotationTo(target: Orientation, { stream, label }: NamedStream): Orientation {
  const rotation = rotationBetween(orientationOf(stream), target);
  if (rotation !== undefined) return rotation;
  throw new MillraceError(
    'source_unsupported',
    `${label} is rotated differently from part 1, and not by a multiple of 90°. Use parts with the same rotation.`,
  );
}

/** Returns the filters that rotate frames, the same ones that FFmpeg's own programs use for the matrix. */
export function rotationFilters([a, b, c, d]: Orientation): readonly FilterSpec[] {
  if (b > 0) return [['transpose', c > 0 ? 'cclock_flip' : 'clock']];
  if (b < 0) return [['transpose', c < 0 ? 'clock_flip' : 'cclock']];
  return [...(a < 0 ? [['hflip', ''] as const] : []), ...(d < 0 ? [['vflip', ''] as const] : [])];
}

/** Returns the shape of a frame after rotation. */
export function rotatedShape(shape: FrameShape, [a]: Orientation): FrameShape {
  if (a !== 0) return shape;
  const { width, height, sampleAspectRatio } = shape;
  const { num, den } = sampleAspectRatio;
  // 0/1 means unknown.
  return { width: height, height: width, sampleAspectRatio: num === 0 ? sampleAspectRatio : { num: den, den: num } };
}

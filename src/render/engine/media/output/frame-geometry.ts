import type { VideoShape } from '../../../../contract/encoding.ts';
import type { FilterSpec } from './filter-chain.ts';
import type { FrameShape } from './pixel-aspect.ts';

/** A part of a frame, in pixels. */
interface FrameArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How a frame becomes a frame of the result. All lengths are even, except those of unchanged frames. */
export interface FrameGeometry {
  /** The part of the frame to keep; absent for all of it. */
  readonly crop?: FrameArea;
  /** Size of the result, in pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Returns how frames get a requested shape: the middle is cut out, and then reduced to the maximum height. Nothing is
 * enlarged, and the shape of the pixels does not change.
 *
 * @param frame - an upright frame, as players display it.
 */
export function frameGeometry(frame: FrameShape, shape: Pick<VideoShape, 'crop' | 'maxHeight'>): FrameGeometry {
  const crop = shape.crop === undefined ? undefined : middleOf(frame, shape.crop.width / shape.crop.height);
  const { width, height } = crop ?? frame;
  const { maxHeight = height } = shape;
  const size =
    maxHeight < height
      ? { width: roundToEven((width * floorToEven(maxHeight)) / height), height: floorToEven(maxHeight) }
      : { width, height };
  return { ...(crop && { crop }), ...size };
}

/** Returns the filters that cut out a part of a frame. */
export function cropFilters(crop: FrameArea | undefined): readonly FilterSpec[] {
  if (crop === undefined) return [];
  const { x, y, width, height } = crop;
  return [['crop', `w=${width}:h=${height}:x=${x}:y=${y}`]];
}

/** Returns the largest part in the middle with an aspect ratio; undefined if that is the whole frame. */
function middleOf(frame: FrameShape, aspect: number): FrameArea | undefined {
  const { num, den } = frame.sampleAspectRatio;
  const [width, height] = [floorToEven(frame.width), floorToEven(frame.height)];
  // The aspect ratio in pixels, which need not be square.
  const ratio = num > 0 && den > 0 ? (aspect * den) / num : aspect;
  const [exactWidth, exactHeight] = [Math.min(width, height * ratio), Math.min(height, width / ratio)];
  if (width - exactWidth < 1 && height - exactHeight < 1) return undefined;
  const size = { width: roundToEven(exactWidth), height: roundToEven(exactHeight) };
  // The colour of two adjacent pixels is stored once, so the part begins at an even position.
  return { x: evenOffset(width - size.width), y: evenOffset(height - size.height), ...size };
}

function evenOffset(rest: number): number {
  return 2 * Math.floor(rest / 4);
}

function floorToEven(length: number): number {
  return Math.max(2, 2 * Math.floor(length / 2));
}

function roundToEven(length: number): number {
  return Math.max(2, 2 * Math.round(length / 2));
}

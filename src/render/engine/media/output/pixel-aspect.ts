import type { Stream } from 'node-av/lib';
import type { FilterSpec } from './filter-chain.ts';

/** The size of a frame in pixels, and its sample aspect ratio (0/1 if unknown). */
export interface FrameShape {
  readonly width: number;
  readonly height: number;
  readonly sampleAspectRatio: { readonly num: number; readonly den: number };
}

/** Maximum difference between aspect ratios that count as equal. Sizes are rounded to even numbers of pixels. */
const tolerance = 0.03;

/**
 * Returns filters that keep the aspect ratio of a frame if the result has another one. Black bars fill the rest.
 *
 * @param first - shape of the first frames, whose aspect ratio the result has.
 * @param size - size of the result, in pixels.
 */
export function keepDisplayAspect(
  from: FrameShape,
  first: FrameShape,
  { width, height }: Pick<FrameShape, 'width' | 'height'>,
): readonly FilterSpec[] {
  const relativeAspect = displayAspect(from) / displayAspect(first);
  if (Math.abs(relativeAspect - 1) < tolerance) return [];
  const fittedSize =
    relativeAspect < 1 ? [roundToEven(width * relativeAspect), height] : [width, roundToEven(height / relativeAspect)];
  return [
    ['scale', `w=${fittedSize[0]}:h=${fittedSize[1]}`],
    ['pad', `w=${width}:h=${height}:x=-1:y=-1`],
  ];
}

/** Returns the width of a pixel relative to its height, from the container or else from the stream; 0/1 if unknown. */
export function pixelAspectOf({ sampleAspectRatio, codecpar }: Stream): Stream['sampleAspectRatio'] {
  return sampleAspectRatio.num > 0 ? sampleAspectRatio : codecpar.sampleAspectRatio;
}

function displayAspect({ width, height, sampleAspectRatio: { num, den } }: FrameShape): number {
  return (width / height) * (num > 0 && den > 0 ? num / den : 1);
}

function roundToEven(length: number): number {
  return Math.max(2, 2 * Math.round(length / 2));
}

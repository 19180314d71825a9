import type { Stream } from 'node-av/lib';
import type { FilterSpec } from './filter-chain.ts';

/** The size of a frame in pixels, and its sample aspect ratio (0/1 if unknown). */
export interface PictureShape {
  readonly width: number;
  readonly height: number;
  readonly sampleAspectRatio: { readonly num: number; readonly den: number };
}

/** How far aspect ratios may differ and still count as equal: sizes are rounded to even numbers of pixels. */
const tolerance = 0.03;

/**
 * The filters that keep the aspect ratio of a frame if the result has another one: black bars fill the rest.
 *
 * @param first - the shape of the first frames, whose aspect ratio the result has.
 * @param size - of the result, in pixels.
 */
export function keepDisplayAspect(
  from: PictureShape,
  first: PictureShape,
  { width, height }: Pick<PictureShape, 'width' | 'height'>,
): readonly FilterSpec[] {
  const wider = proportions(from) / proportions(first);
  if (Math.abs(wider - 1) < tolerance) return [];
  const fitted = wider < 1 ? [even(width * wider), height] : [width, even(height / wider)];
  return [
    ['scale', `w=${fitted[0]}:h=${fitted[1]}`],
    ['pad', `w=${width}:h=${height}:x=-1:y=-1`],
  ];
}

/** The width of a pixel against its height: what the container says, or else the stream itself; 0/1 if nothing does. */
export function pixelAspectOf({ sampleAspectRatio, codecpar }: Stream): Stream['sampleAspectRatio'] {
  return sampleAspectRatio.num > 0 ? sampleAspectRatio : codecpar.sampleAspectRatio;
}

function proportions({ width, height, sampleAspectRatio: { num, den } }: PictureShape): number {
  return (width / height) * (num > 0 && den > 0 ? num / den : 1);
}

function even(length: number): number {
  return Math.max(2, 2 * Math.round(length / 2));
}

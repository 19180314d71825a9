import type { Frame } from 'node-av/lib';
import { boundedSize, fittedSize, type ImageSize } from '../../slideshow/image-size.ts';
import { FilterChain, type FilterSpec } from '../output/filter-chain.ts';
import { cropFilters, type FrameGeometry } from '../output/frame-geometry.ts';
import { rotatedShape, rotationFilters } from '../output/rotation.ts';
import type { Image } from './read-image.ts';

/** Time base of frames whose time does not matter. */
const anyBase = { num: 1, den: 25 };

/** Converts to the colours of the result: BT.709, limited range. */
const yuv: readonly FilterSpec[] = [
  ['scale', 'out_range=tv:out_color_matrix=bt709'],
  ['format', 'pix_fmts=yuv420p'],
];

/**
 * Turns an image upright, reduces it to the maximum size of a slideshow, and replaces transparency with black. Frees
 * the image.
 */
export function prepareImage({ frame, orientation }: Image): Frame {
  const { width, height } = boundedSize(rotatedShape(frame, orientation));
  const filters = [
    ...rotationFilters(orientation),
    ['scale', `w=${width}:h=${height}`] as const,
    ...blackBackground,
    ...yuv,
  ];
  return filterFrame(frame, filters);
}

/**
 * Scales a prepared image to fit into a frame, fills the rest with black bars, and gives the frame its final shape.
 * Frees the image.
 *
 * @param crop - the part of the frame to keep; undefined for all of it.
 * @param size - size of the result.
 */
export function fitImage(image: Frame, frame: ImageSize, crop: FrameGeometry['crop'], size: ImageSize): Frame {
  const { width, height } = fittedSize(image, frame);
  return filterFrame(image, [
    ['scale', `w=${width}:h=${height}`],
    ['pad', `w=${frame.width}:h=${frame.height}:x=-1:y=-1`],
    ...cropFilters(crop),
    ['scale', `w=${size.width}:h=${size.height}`],
    ['setsar', 'sar=1'],
    ...yuv,
  ]);
}

/** Multiplies the colours with the opacity, as if the image were in front of black. */
const blackBackground: readonly FilterSpec[] = [
  ['format', 'pix_fmts=gbrap'],
  ['premultiply', 'inplace=1'],
];

function filterFrame(frame: Frame, filters: readonly FilterSpec[]): Frame {
  frame.pts = 0n;
  const results: Frame[] = [];
  const take = (output: Frame) => {
    const copy = output.clone();
    if (copy !== null) results.push(copy);
  };
  const chain = new FilterChain('video', () => filters);
  chain.push(frame, anyBase, take);
  chain.end(take);
  frame.free();
  const [result] = results;
  if (result === undefined) throw new Error('an image was lost by its filters');
  return result;
}

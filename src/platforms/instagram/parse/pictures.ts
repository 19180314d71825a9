import type { Picture } from '../../../parsing/picture.ts';
import { type Size, sizeLimit } from './cdn.ts';

/** An image as a response lists it. */
export interface ListedPicture {
  readonly url: string | undefined;
  /** The reported size. The site also lists one address under sizes that are larger than the image. */
  readonly size: Size | undefined;
}

/**
 * Returns each image once, in its true size: the smallest size that the response lists for its address, but no more
 * than its link and its original allow.
 *
 * @param original The size of the original; absent for the covers of videos, which can be larger than the video.
 */
export function uniquePictures(listed: readonly ListedPicture[], original: Size | undefined): Picture[] {
  const sizes = new Map<string, Size | undefined>();
  for (const { url, size } of listed) {
    if (url === undefined) continue;
    const known = sizes.get(url);
    sizes.set(url, known === undefined || (size !== undefined && area(size) < area(known)) ? size : known);
  }
  return [...sizes].map(([url, size]) => ({ url, ...trueSize(url, size, original) }));
}

function trueSize(url: string, listed: Size | undefined, original: Size | undefined): Size | undefined {
  const largest = original === undefined ? undefined : (sizeLimit(url, original) ?? original);
  if (listed === undefined) return largest;
  const size = sizeLimit(url, listed) ?? listed;
  return largest !== undefined && area(largest) < area(size) ? largest : size;
}

function area({ width, height }: Size): number {
  return width * height;
}

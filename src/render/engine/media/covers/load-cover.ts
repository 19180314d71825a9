import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { additionLimits } from '../../../../contract/addition-limits.ts';
import type { Cover } from '../../tags/cover.ts';
import { type ImageHeader, readImageHeader } from '../../tags/image-header.ts';
import { convertImage, decodeImage } from './decode-image.ts';

/** Maximum width and height of a cover, and maximum number of its pixels. Larger images could exhaust the memory. */
const maxSide = 10_000;
const maxPixels = 64_000_000;

/** A cover for a result, or the reason why a file cannot be one. */
export type CoverOutcome = { readonly cover: Cover } | { readonly omissionReason: string };

/**
 * Reads a cover from a file with any contents. JPEG and PNG images are kept as they are once they have been decoded,
 * and WebP images are converted. The file is never opened with a demuxer, which might follow links in it.
 *
 * @throws An error of the file system.
 */
export async function loadCover(path: string): Promise<CoverOutcome> {
  const { size } = statSync(path);
  if (size > additionLimits.coverBytes) return leftOut(`it has ${size} bytes, more than ${additionLimits.coverBytes}`);
  const bytes = await readFile(path);
  const header = readImageHeader(bytes);
  if (header === undefined) return leftOut('it is not a JPEG, PNG or WebP image');
  const { format, width, height } = header;
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    return leftOut(`it has ${width} × ${height} pixels, which is too large`);
  const image = await decodeImage(bytes, format, maxPixels);
  if (image === undefined) return leftOut('it is damaged and cannot be decoded');
  if (format === 'webp') {
    const converted = await convertImage(image);
    image.free();
    return converted === undefined || converted.bytes.length > additionLimits.coverBytes
      ? leftOut('it cannot be converted')
      : { cover: { ...converted, width, height } };
  }
  image.free();
  return { cover: { bytes, type: typeOf(format), width, height } };
}

function typeOf(format: Exclude<ImageHeader['format'], 'webp'>): Cover['type'] {
  return format === 'png' ? 'image/png' : 'image/jpeg';
}

function leftOut(omissionReason: string): CoverOutcome {
  return { omissionReason };
}

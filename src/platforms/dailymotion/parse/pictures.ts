import type { Picture } from '../../../parsing/picture.ts';
import { defined, fields } from '../../../parsing/values.ts';
import { httpSiteUrl, validSiteUrl } from '../../site-urls.ts';

/** Maximum number of sizes. The site has never had that many. */
const MAX_SIZES = 50;

/** Reads `{"60": url, …, "1080": url}`, where the keys are heights. Returns each size once, largest first. */
export function parsePictures(value: unknown): readonly Picture[] {
  const pictures = Object.entries(fields(value))
    .slice(0, MAX_SIZES)
    .flatMap(([name, link]) => {
      const url = httpSiteUrl(link);
      return url === undefined ? [] : [{ url, ...pictureSize(url, name) }];
    })
    .toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0));
  return [...Map.groupBy(pictures, ({ width, height }) => `${width}x${height}`).values()].flatMap(
    ([first]) => first ?? [],
  );
}

/** An image whose width and height are known. */
export interface SizedPicture extends Required<Picture> {
  /** The size as the site writes it in its address, often without the width: `x1080`. */
  readonly label: string;
}

/**
 * Adds the width of images of which only the height is known, from the width of the video divided by its height. Omits
 * images whose width remains unknown.
 */
export function withWidths(pictures: readonly Picture[], ratio: number | undefined): readonly SizedPicture[] {
  return pictures.flatMap(({ url, width, height }) => {
    const actualWidth = width ?? (ratio !== undefined && height !== undefined ? Math.round(height * ratio) : undefined);
    return actualWidth && height ? [{ url, width: actualWidth, height, label: `${width ?? ''}x${height}` }] : [];
  });
}

/**
 * Returns the size at the end of an image URL (`/320x180f`, or `/x1080` if only the height is given), or else the key's
 * height.
 */
function pictureSize(url: string, name: string): Omit<Picture, 'url'> {
  const size = /\/(\d{1,5})?x(\d{1,5})f?$/.exec(validSiteUrl(url).pathname);
  const height = size?.[2] ?? (/^\d{1,5}$/.test(name) ? name : undefined);
  return defined({
    width: size?.[1] === undefined ? undefined : Number(size[1]),
    height: height === undefined ? undefined : Number(height),
  });
}

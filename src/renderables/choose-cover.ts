import type { ContentMetadata } from '../contract/envelope.ts';
import { parseUrl } from '../contract/parse-url.ts';
import { pixels } from '../parsing/picture.ts';
import { fields, httpUrl, list } from '../parsing/values.ts';
import type { ContentMedia } from '../platforms/platform.ts';

/** Maximum side of a cover in pixels. Larger images are used only if there are no others. */
const MAX_SIDE = 2048;

/** Maximum number of images considered. */
const MAX_IMAGES = 100;

/** Size of an image whose size is unknown, in square pixels: smaller than any useful image. */
const UNKNOWN_AREA = 1;

interface Candidate {
  readonly url: string;
  readonly isJpeg: boolean;
  readonly area: number;
  readonly isHuge: boolean;
}

/**
 * Returns the link of the best cover for the files of a content item: a large image, a JPEG if there is one of similar
 * size. Images of the content take precedence over thumbnails of the post.
 */
export function chooseCover(
  { thumbnailUrl, additionalData }: ContentMetadata,
  { images = [] }: ContentMedia,
): string | undefined {
  const thumbnails = list(fields(additionalData).thumbnails);
  const ofContent = images.map(({ item }) => candidate(item.url, item.metadata, item.metadata.mime_type));
  const ofPost = thumbnails.slice(0, MAX_IMAGES).map((image) => candidate(fields(image).url, fields(image)));
  const own = [...ofContent.slice(0, MAX_IMAGES), ...ofPost].flatMap((one) => one ?? []);
  const candidates = own.length > 0 ? own : [candidate(thumbnailUrl, {})].flatMap((one) => one ?? []);
  const fitting = candidates.filter(({ isHuge }) => !isHuge);
  const usable = fitting.length > 0 ? fitting : candidates;
  const largest = Math.max(...usable.map(({ area }) => area));
  const [best] = usable
    .filter(({ area }) => area >= largest / 4)
    .toSorted((a, b) => Number(b.isJpeg) - Number(a.isJpeg) || b.area - a.area);
  return best?.url;
}

function candidate(
  link: unknown,
  size: Readonly<Record<string, unknown>>,
  mimeType = 'image/*',
): Candidate | undefined {
  const url = httpUrl(link);
  if (url === undefined || /^image\/(?:heic|heif|avif|gif)/.test(mimeType)) return undefined;
  const path = parseUrl(url)?.pathname.toLowerCase() ?? '';
  if (/\.(?:heic|heif|avif|gif)$/.test(path)) return undefined;
  const [width = 0, height = 0] = [pixels(size.width), pixels(size.height)];
  return {
    url,
    isJpeg: /\.jpe?g$/.test(path) || (mimeType === 'image/jpeg' && !path.endsWith('.webp')),
    area: Math.max(width * height, UNKNOWN_AREA),
    isHuge: Math.max(width, height) > MAX_SIDE,
  };
}

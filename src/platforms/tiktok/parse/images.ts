import type { SourceMedia } from '../../../contract/source-media.ts';
import { count, defined, type Fields, fields, list, unlessEmpty } from '../../../parsing/values.ts';
import { expiryText, mediaUrl } from './media-links.ts';

/** Maximum number of photos. The site allows 35. */
const MAX_PHOTOS = 100;
const MAX_MIRRORS = 8;

interface Picture {
  readonly name: string;
  readonly url: string;
  readonly alternates: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Returns the photos of a photo post, in order. */
export function photoMedia(imagePost: Fields): SourceMedia[] {
  const photos = list(imagePost.images).slice(0, MAX_PHOTOS);
  return photos.flatMap((photo, place) => {
    const picture = readPhoto(photo, `photo_${place + 1}`);
    return picture === undefined ? [] : [imageMedia(picture)];
  });
}

/** Returns the link of a photo post's cover. */
export function coverOf(imagePost: Fields): string | undefined {
  return readPhoto(imagePost.cover, 'cover')?.url;
}

/**
 * Returns the covers of a video, largest first. The name of a zoom cover contains the side length of the square that it
 * fills.
 */
export function coverMedia(video: Fields): SourceMedia[] {
  const zoomCovers = Object.entries(fields(video.zoomCover))
    .filter(([side]) => /^\d{2,4}$/.test(side))
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .slice(0, MAX_MIRRORS)
    .map(([side, url]) => [`zoom_cover_${side}`, url] as const);
  const covers = [
    ['cover', video.cover],
    ['origin_cover', video.originCover],
    ['dynamic_cover', video.dynamicCover],
    ...zoomCovers,
  ] as const;
  const pictures = covers.flatMap(([name, link]) => {
    const url = mediaUrl(link);
    return url === undefined ? [] : [{ name, url, alternates: [], width: 0, height: 0 }];
  });
  const urls = new Set<string>();
  return pictures.filter(({ url }) => !urls.has(url) && urls.add(url)).map((picture) => imageMedia(picture));
}

/** Reads an image. Its links are mirrors of one file, some of which are in a more compatible format. */
function readPhoto(value: unknown, name: string): Picture | undefined {
  const { imageURL, imageWidth, imageHeight } = fields(value);
  const links = list(fields(imageURL).urlList)
    .slice(0, MAX_MIRRORS)
    .flatMap((link) => mediaUrl(link) ?? []);
  const url = links.find((link) => /\.jpe?g$/.test(pathOf(link))) ?? links[0];
  if (url === undefined) return undefined;
  return {
    name,
    url,
    alternates: [...new Set(links)].filter((link) => link !== url),
    width: count(imageWidth) ?? 0,
    height: count(imageHeight) ?? 0,
  };
}

/** Returns an image as a media item. The site serves images to every client, without special headers. */
function imageMedia({ name, url, alternates, width, height }: Picture): SourceMedia {
  const item = {
    label: width * height > 0 ? `${width}x${height}` : name,
    url,
    repId: name,
    metadata: {
      mime_type: mimeTypeOf(url),
      width,
      height,
      has_audio: false,
      ...defined({ alternates: unlessEmpty(alternates), expires_at: expiryText(url) }),
    },
  };
  return { item };
}

/** Returns the format that a link names. `.image` leaves the format to the server, which sends JPEG by default. */
function mimeTypeOf(url: string): string {
  const ext = /\.(png|webp|avif|heic|gif)$/.exec(pathOf(url))?.[1];
  return `image/${ext ?? 'jpeg'}`;
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname.toLowerCase() ?? '';
}

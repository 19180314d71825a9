import type { SourceMedia } from '../../../contract/source-media.ts';
import { count, defined, type Fields, fields, list, unlessEmpty } from '../../../parsing/values.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import type { ListReader } from './list-reader.ts';
import { expiryText, mediaUrl } from './media-links.ts';

/** Maximum number of photos. The site allows 35. */
const MAX_PHOTOS = 100;
const MAX_MIRRORS = 8;

/** A picture with its mirrors. */
export interface Picture {
  readonly name: string;
  readonly url: string;
  readonly alternates: readonly string[];
  /** Pixels; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

/** Reads the photos of a photo post, in order. Their names contain their places in the post. */
export function readPhotos(imagePost: Fields, lists: ListReader): Picture[] {
  let place = 0;
  return lists.read('imagePost.images', imagePost.images, MAX_PHOTOS, (photo) => {
    place += 1;
    const picture = readPhoto(photo, `photo_${place}`);
    return picture === undefined ? [] : [picture];
  });
}

/** Returns photos as media items. */
export function photoMedia(photos: readonly Picture[]): SourceMedia[] {
  return photos.map((photo) => imageMedia(photo));
}

/** Returns the link of a photo post's cover. */
export function coverOf(imagePost: Fields): string | undefined {
  return readPhoto(imagePost.cover, 'cover')?.url;
}

/**
 * Returns the covers of a video, then its zoom covers, largest first. Covers have the dimensions of the video. A zoom
 * cover fills a square, whose side is its name.
 */
export function coverMedia(video: Fields): SourceMedia[] {
  const size = { width: count(video.width) ?? 0, height: count(video.height) ?? 0 };
  const zoomCovers = Object.entries(fields(video.zoomCover))
    .filter(([side]) => /^\d{2,4}$/.test(side))
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .slice(0, MAX_MIRRORS)
    .map(([side, link]) => ({
      name: `zoom_cover_${side}`,
      link,
      size: { width: Number(side), height: Number(side) },
    }));
  const covers = [
    { name: 'cover', link: video.cover, size },
    { name: 'origin_cover', link: video.originCover, size },
    { name: 'dynamic_cover', link: video.dynamicCover, size },
    ...zoomCovers,
  ];
  const urls = new Set<string>();
  return covers.flatMap(({ name, link, size }) => {
    const url = mediaUrl(link);
    if (url === undefined || urls.has(url)) return [];
    urls.add(url);
    return [imageMedia({ name, url, alternates: [], ...size }, name)];
  });
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
function imageMedia({ name, url, alternates, width, height }: Picture, label?: string): SourceMedia {
  const item = {
    label: label ?? (width * height > 0 ? `${width}x${height}` : name),
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
  return parseSiteUrl(url)?.pathname.toLowerCase() ?? '';
}

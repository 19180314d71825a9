import type { SourceMedia } from '../../../contract/source-media.ts';
import { type Picture, pixels } from '../../../parsing/picture.ts';
import { defined, type Fields, fields } from '../../../parsing/values.ts';
import { expiryMetadata } from '../../meta-cdn.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { pictureSize, pictureType } from './cdn-link.ts';
import type { Copies } from './records.ts';

/** Members that contain the images of a photo or video in different parts of the site. */
const pictureMembers = [
  'viewer_image',
  'photo_image',
  'image',
  'massive_image',
  'full_width_image',
  'large_share_image',
  'flexible_height_share_image',
  'placeholder_image',
  'thumbnailImage',
  'first_frame_thumbnail',
] as const;

/** Maximum number of images listed for one photo or video. */
const MAX_PICTURES = 20;

/**
 * Reads an image in the site's formats: `{uri,width,height}`, or only its link. Takes missing dimensions from the link.
 */
export function readPicture(value: unknown): Picture | undefined {
  const { uri, width, height }: Fields = typeof value === 'string' ? { uri: value } : fields(value);
  const url = httpSiteUrl(uri);
  if (url === undefined) return undefined;
  const size = { width: pixels(width), height: pixels(height) };
  return { url, ...(size.width && size.height ? defined(size) : pictureSize(url)) };
}

/** Returns every image of a photo or video, largest first, each size once. */
export function readPictures(copies: Copies, members: readonly string[] = pictureMembers): Picture[] {
  const candidates = copies.flatMap((copy) => [
    ...members.map((member) => readPicture(copy[member])),
    readPicture(fields(copy.preferred_thumbnail).image),
    readPicture(fields(fields(copy.comet_photo_attachment_resolution_renderer).image)),
  ]);
  const bySize = new Map<string, Picture>();
  for (const picture of candidates) {
    if (picture === undefined) continue;
    const key = picture.width === undefined ? picture.url : `${picture.width}x${picture.height}`;
    if (!bySize.has(key)) bySize.set(key, picture);
  }
  return largestFirst([...bySize.values()]).slice(0, MAX_PICTURES);
}

/** Sorts images by pixel count, those of unknown size last. */
export function largestFirst(pictures: readonly Picture[]): Picture[] {
  const area = ({ width = 0, height = 0 }: Picture) => width * height;
  return pictures.toSorted((a, b) => area(b) - area(a));
}

/** Returns the images as media items. The label is the size, or `image` if it is unknown. */
export function pictureMedia(pictures: readonly Picture[]): SourceMedia[] {
  const timesByLabel = new Map<string, number>();
  return pictures.map(({ url, width, height }) => {
    const label = width === undefined ? 'image' : `${width}x${height}`;
    const times = timesByLabel.get(label) ?? 0;
    timesByLabel.set(label, times + 1);
    const repId = times === 0 ? label : `${label}-${times + 1}`;
    const size = { width: width ?? 0, height: height ?? 0 };
    return {
      item: {
        label,
        url,
        repId,
        metadata: { mime_type: pictureType(url), ...size, has_audio: false, ...expiryMetadata(url) },
      },
    };
  });
}

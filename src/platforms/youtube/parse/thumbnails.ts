import type { Picture } from '../../../parsing/picture.ts';
import { fields, list } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';

/** Maximum number of sizes, more than the site has ever had. */
const MAX_SIZES = 20;

/** An address that needs no further parsing. */
const plainUrl = /^https:\/\/[a-z0-9.-]+\/[\x21\x22\x24-\x7e]*$/;

/** Reads `{thumbnails: […]}` or `{sources: […]}`: each image once, largest first. */
export function readThumbnails(node: unknown): readonly Picture[] {
  const { thumbnails, sources } = fields(node);
  const entries = list(thumbnails ?? sources);
  const pictures: Picture[] = [];
  for (let at = Math.min(entries.length, MAX_SIZES) - 1; at >= 0; at -= 1) {
    const picture = readPicture(fields(entries[at]));
    if (picture !== undefined && pictures.every(({ url }) => url !== picture.url)) pictures.push(picture);
  }
  return pictures.sort((a, b) => area(b) - area(a));
}

function readPicture({ url: link, width, height }: Record<string, unknown>): Picture | undefined {
  if (typeof link !== 'string') return undefined;
  const whole = link.startsWith('//') ? `https:${link}` : link;
  const url = plainUrl.test(whole) ? whole : httpSiteUrl(whole);
  if (url === undefined) return undefined;
  return isSize(width) && isSize(height) ? { url, width, height } : { url };
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function area({ width = 0, height = 0 }: Picture): number {
  return width * height;
}

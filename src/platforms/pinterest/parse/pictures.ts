import { type Picture, pixels } from '../../../parsing/picture.ts';
import { count, defined, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import { httpSiteUrl, parseSiteUrl, validSiteUrl } from '../../site-urls.ts';
import { member } from './member.ts';

/** An image in one of its sizes. */
export interface PictureVariant extends Picture {
  /** The size's name in its address (`736x`), or `orig` for the original. */
  readonly name: string;
  /** Other addresses to try, if the original's file extension is unknown. */
  readonly alternates?: readonly string[];
}

/** Maximum number of sizes. The site has fewer. */
const MAX_SIZES = 40;

/**
 * Returns the sizes of one image, largest first and each address once. Reads `images: {"736x": {url, width, height}}`
 * and the members that pages have instead: `imageSpec_736x`, `images_736x`, `image736x`, `imageLargeUrl`.
 *
 * Sizes that no response contains are derived from the original's. The site fits images into a width and never enlarges
 * them.
 */
export function pictureVariants(node: unknown): readonly PictureVariant[] {
  const entries = [...namedEntries(fields(node))]
    .slice(0, MAX_SIZES * 3)
    .flatMap(([key, entry]) => variant(key, entry));
  const variants = new Map<string, PictureVariant>();
  for (const one of entries) {
    const existing = variants.get(one.name);
    if (existing === undefined || (existing.url === one.url && existing.width === undefined))
      variants.set(one.name, one);
  }
  return withSizes([...variants.values()].slice(0, MAX_SIZES)).toSorted(byArea);
}

/** Returns the original of an image of which only the signature is known. Its file extension may differ. */
export function originalBySignature(signature: unknown): PictureVariant | undefined {
  const hex = text(signature);
  if (hex === undefined || !/^[0-9a-f]{32}$/.test(hex)) return undefined;
  const path = `https://i.pinimg.com/originals/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4, 6)}/${hex}`;
  return { name: 'orig', url: `${path}.jpg`, alternates: [`${path}.png`, `${path}.webp`] };
}

/** Returns the image signature in an address. */
export function signatureIn(url: string): string | undefined {
  return /\/([0-9a-f]{32})\.[a-z]{3,4}$/.exec(parseSiteUrl(url)?.pathname ?? '')?.[1];
}

function* namedEntries(node: Fields): Iterable<readonly [string, unknown]> {
  const { images } = node;
  if (isFields(images)) {
    if (typeof images.url === 'string') yield ['orig', images];
    yield* sizes(images);
  }
  yield* sizes(node);
  yield ['1200x', { url: member(node, 'image_large_url') }];
}

function* sizes(node: Fields): Iterable<readonly [string, unknown]> {
  for (const [key, entry] of Object.entries(node)) {
    const name = /^(?:imageSpec_|images?_?)?(orig|originals|\d{2,4}x\d{0,4})$/.exec(key)?.[1];
    if (name !== undefined) yield [name, entry];
  }
}

function variant(key: string, entry: unknown): PictureVariant[] {
  const { url: link, width, height } = fields(entry);
  const url = httpSiteUrl(link);
  if (url === undefined) return [];
  // The address under a size's name may be that of another size: under 170x, that of 236x (seen 2025-08).
  const inAddress = /^\/(originals|\d{2,4}x\d{0,4})\//.exec(validSiteUrl(url).pathname)?.[1] ?? key;
  const name = inAddress === 'originals' ? 'orig' : inAddress;
  const [w, h] = [pixels(width), pixels(height)];
  return [w === undefined || h === undefined ? { name, url } : { name, url, width: w, height: h }];
}

function withSizes(variants: readonly PictureVariant[]): PictureVariant[] {
  const original = originalSize(variants);
  return variants.map((one) => (one.width === undefined ? { ...one, ...sizeByName(one.name, original) } : one));
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the original's size: the stated one, or that of an image that is narrower than its size's name allows and so
 * was not scaled.
 */
function originalSize(variants: readonly PictureVariant[]): Size | undefined {
  const hasSize = ({ name, width }: PictureVariant) =>
    width !== undefined && (name === 'orig' || (/^\d+x$/.test(name) && width < Number.parseInt(name, 10)));
  const { width, height } = variants.find(hasSize) ?? {};
  return width === undefined || height === undefined ? undefined : { width, height };
}

function sizeByName(name: string, original: Size | undefined): Partial<Size> {
  const [, width, height] = /^(\d+)x(\d*)$/.exec(name) ?? [];
  if (height) return { width: Number(width), height: Number(height) };
  if (original === undefined) return {};
  if (width === undefined) return original;
  const scaledWidth = Math.min(Number(width), original.width);
  return { width: scaledWidth, height: Math.floor((original.height * scaledWidth) / original.width) };
}

/** Sorts the largest first. The original precedes images of the same size, and all images if no size is known. */
function byArea(a: PictureVariant, b: PictureVariant): number {
  const area = ({ width = 0, height = 0 }: Picture) => width * height;
  const unknownOriginal = (one: PictureVariant) => Number(one.name === 'orig' && area(one) === 0);
  return (
    unknownOriginal(b) - unknownOriginal(a) ||
    area(b) - area(a) ||
    Number(b.name === 'orig') - Number(a.name === 'orig')
  );
}

/** Returns a profile's pictures, whose addresses contain their sizes: `/140x140_RS/`, `default_140.png`. */
export function profilePictures(links: readonly unknown[]): readonly Picture[] {
  return links.flatMap((link) => {
    const url = httpSiteUrl(link);
    if (url === undefined) return [];
    const side = count(/\/(\d{2,4})x\d{2,4}_RS\/|\/default_(\d{2,4})\.png$/.exec(url)?.slice(1).find(Boolean));
    return [{ url, ...defined({ width: side, height: side }) }];
  });
}

import { count, dig, parseJson, text } from '../../../parsing/values.ts';

/** The file properties in the `efg` parameter of a video link (JSON in base 64). */
interface FileFacts {
  /** Pixels of the shorter side. */
  readonly side?: number;
  /** Seconds, rounded to whole numbers. */
  readonly duration?: number;
  /** Bits per second. */
  readonly bitrate?: number;
}

/** Reads a video link's `efg`. Its tag looks like `xpv_progressive.INSTAGRAM.CLIPS.C3.720.dash_baseline_1_v1`. */
export function fileFacts(url: string): FileFacts {
  const efg = URL.parse(url)?.searchParams.get('efg') ?? '';
  const facts = efg === '' || efg.length > 4000 ? undefined : parseJson(Buffer.from(efg, 'base64').toString('utf8'));
  const tag = text(dig(facts, 'vencode_tag')) ?? '';
  const side = count(tag.split('.').find((part) => /^\d{3,4}$/.test(part)));
  const duration = count(dig(facts, 'duration_s'));
  const bitrate = count(dig(facts, 'bitrate'));
  return {
    ...(side === undefined ? {} : { side }),
    ...(duration === undefined ? {} : { duration }),
    ...(bitrate === undefined ? {} : { bitrate }),
  };
}

/** Dimensions in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Scales a size down so that its shorter side has a given length. */
export function withSide({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.min(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Returns whether an image link leads only to a crop (`stp` with `c` and four numbers). */
export function isCropped(url: string): boolean {
  return /(?:^|_)c\d+(?:\.\d+){3}a?(?:_|$)/.test(transformationOf(url));
}

/**
 * Returns an image's size from its link's `stp`: `p720x720` scales the shorter side to 720, `s640x640` the longer one
 * to 640. Without either, it is the original size. Returns undefined if the original's size is needed but unknown.
 */
export function pictureSize(url: string, original: Size | undefined): Size | undefined {
  if (original === undefined) return undefined;
  const match = /(?:^|_)([ps])(\d{2,5})x\2(?:_|$)/.exec(transformationOf(url));
  if (match === null) return original;
  const length = Number(match[2]);
  const longer = Math.max(original.width, original.height);
  const side = match[1] === 'p' ? length : (length * Math.min(original.width, original.height)) / longer;
  return withSide(original, side);
}

/**
 * Returns the size of an account's picture: a square whose side is in its link (`s150x150`). Returns undefined if the
 * link has no size.
 */
export function portraitSize(url: string): Size | undefined {
  const side = /(?:^|_)s(\d{2,4})x\1(?:_|$)/.exec(transformationOf(url))?.[1];
  return side === undefined ? undefined : { width: Number(side), height: Number(side) };
}

function transformationOf(url: string): string {
  return URL.parse(url)?.searchParams.get('stp') ?? '';
}

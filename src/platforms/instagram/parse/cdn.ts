import { count, dig, parseJson, text } from '../../../parsing/values.ts';

/** What a video's link says of its file, in `efg` (JSON in base 64). */
interface FileFacts {
  /** Pixels of the shorter side. */
  readonly side?: number;
  /** Seconds, whole. */
  readonly duration?: number;
  /** Bits a second. */
  readonly bitrate?: number;
}

/** Reads a video link's `efg`; its tag looks like `xpv_progressive.INSTAGRAM.CLIPS.C3.720.dash_baseline_1_v1`. */
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

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size that a shape takes with its shorter side scaled down to a length. */
export function withSide({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.min(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Whether a picture's link shows only a part of it (`stp` with `c` and four numbers). */
export function isCropped(url: string): boolean {
  return /(?:^|_)c\d+(?:\.\d+){3}a?(?:_|$)/.test(transformationOf(url));
}

/**
 * The size of a picture as its link's `stp` gives it: `p720x720` scales the shorter side to 720, `s640x640` the longer
 * one to 640; without either it is the original. Undefined where the original's size is needed and not known.
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

/** The size of an account's picture: a square whose side is in its link (`s150x150`); undefined where it is not. */
export function portraitSize(url: string): Size | undefined {
  const side = /(?:^|_)s(\d{2,4})x\1(?:_|$)/.exec(transformationOf(url))?.[1];
  return side === undefined ? undefined : { width: Number(side), height: Number(side) };
}

function transformationOf(url: string): string {
  return URL.parse(url)?.searchParams.get('stp') ?? '';
}

import { queryParameter } from '../../../contract/query-parameters.ts';
import { parseDuration } from '../../../dash/manifest-numbers.ts';
import { count, dig, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { parseSiteUrl } from '../../site-urls.ts';

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
  const efg = queryParameter(parseSiteUrl(url), 'efg') ?? '';
  const facts =
    efg === '' || efg.length > 4000 ? undefined : parseSiteJson(Buffer.from(efg, 'base64').toString('utf8'));
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

/**
 * Returns the size that an image's link limits it to: with `p720x720` in its `stp`, the shorter side has at most 720
 * pixels, with `s640x640`, the longer side has at most 640. Returns undefined for a link without a limit.
 */
export function sizeLimit(url: string, size: Size): Size | undefined {
  const match = /(?:^|_)([ps])(\d{2,5})x\2(?:_|$)/.exec(transformationOf(url));
  if (match === null) return undefined;
  const length = Number(match[2]);
  const longer = Math.max(size.width, size.height);
  return withSide(size, match[1] === 'p' ? length : (length * Math.min(size.width, size.height)) / longer);
}

/** Returns the size of a cropped image (`c0.280.720.720a`), or undefined if the link does not crop. */
export function croppedSize(url: string): Size | undefined {
  const match = /(?:^|_)c\d+\.\d+\.(\d{1,5})\.(\d{1,5})a?(?:_|$)/.exec(transformationOf(url));
  if (match === null) return undefined;
  const size = { width: Number(match[1]), height: Number(match[2]) };
  return sizeLimit(url, size) ?? size;
}

/** Returns a video's seconds: the reported ones, or else those of its manifest, or else those in its file's link. */
export function durationOf(
  reported: unknown,
  manifest: string | undefined,
  url: string | undefined,
): number | undefined {
  return count(reported) ?? manifestDuration(manifest) ?? (url === undefined ? undefined : fileFacts(url).duration);
}

function manifestDuration(manifest: string | undefined): number | undefined {
  const start = manifest?.indexOf('<MPD') ?? -1;
  const tag = manifest?.slice(start, start + 4000).split('>', 1)[0] ?? '';
  return start < 0 ? undefined : parseDuration(/ mediaPresentationDuration="([^"]{1,60})"/.exec(tag)?.[1]);
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
  return queryParameter(parseSiteUrl(url), 'stp') ?? '';
}

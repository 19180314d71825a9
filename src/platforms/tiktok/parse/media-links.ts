import { queryParameter } from '../../../contract/query-parameters.ts';
import { isoTime } from '../../../parsing/values.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';

/** Reads a link to a file. The site sometimes omits the scheme. */
export function mediaUrl(value: unknown): string | undefined {
  return httpSiteUrl(typeof value === 'string' && value.startsWith('//') ? `https:${value}` : value);
}

/**
 * Returns when a link expires, in milliseconds since 1970. Video links contain the time in `expire`, image links in
 * `x-expires`, and links to music and subtitles in a hexadecimal segment of their path (seen 2026-07).
 */
export function expiryOf(link: string): number | undefined {
  const url = parseSiteUrl(link);
  if (url === null) return undefined;
  const expiry = queryParameter(url, 'expire') ?? queryParameter(url, 'x-expires');
  const hexadecimal = /^\/[0-9a-f]{32}\/([0-9a-f]{8})\//.exec(url.pathname)?.[1];
  const seconds =
    expiry !== undefined && /^\d{9,11}$/.test(expiry) ? Number(expiry) : Number.parseInt(hexadecimal ?? '', 16);
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

/** Returns the expiry in ISO 8601 format. */
export function expiryText(link: string): string | undefined {
  const time = expiryOf(link);
  return time === undefined ? undefined : isoTime(time / 1000);
}

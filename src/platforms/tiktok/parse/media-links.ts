import { httpUrl, isoTime } from '../../../parsing/values.ts';

/** A link to a file; the site leaves out the scheme at times. */
export function mediaUrl(value: unknown): string | undefined {
  return httpUrl(typeof value === 'string' && value.startsWith('//') ? `https:${value}` : value);
}

/**
 * When a link expires, in milliseconds since 1970. Videos have it as `expire`, pictures as `x-expires`, music and
 * subtitles as a hexadecimal part of their path (seen 2026-07).
 */
export function expiryOf(link: string): number | undefined {
  const url = URL.parse(link);
  if (url === null) return undefined;
  const expiry = url.searchParams.get('expire') ?? url.searchParams.get('x-expires');
  const hexadecimal = /^\/[0-9a-f]{32}\/([0-9a-f]{8})\//.exec(url.pathname)?.[1];
  const seconds =
    expiry !== null && /^\d{9,11}$/.test(expiry) ? Number(expiry) : Number.parseInt(hexadecimal ?? '', 16);
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

/** The same as a text of ISO 8601. */
export function expiryText(link: string): string | undefined {
  const time = expiryOf(link);
  return time === undefined ? undefined : isoTime(time / 1000);
}

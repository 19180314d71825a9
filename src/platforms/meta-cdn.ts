import { queryParameter } from '../contract/query-parameters.ts';
import { parseSiteUrl } from './site-urls.ts';

/**
 * Returns when a link of Meta's CDN expires, in milliseconds since 1970. `oe` contains seconds in hexadecimal digits.
 */
export function expiryOf(link: string): number | undefined {
  const digits = queryParameter(parseSiteUrl(link), 'oe') ?? '';
  return /^[0-9a-f]{8}$/i.test(digits) ? Number.parseInt(digits, 16) * 1000 : undefined;
}

/** Returns the expiry as a metadata member. */
export function expiryMetadata(link: string): { readonly expires_at?: string } {
  const time = expiryOf(link);
  return time === undefined ? {} : { expires_at: new Date(time).toISOString() };
}

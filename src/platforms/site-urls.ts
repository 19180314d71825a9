import { parseUrl, validUrl } from '../contract/parse-url.ts';
import { httpUrl } from '../parsing/values.ts';
import { countAddress } from './reading.ts';

/*
 * URLs in responses of sites. Readers parse one for each fact that it contains, so what they parse of one response is
 * bounded.
 */

/**
 * Parses a URL in a response, as {@link parseUrl}.
 *
 * @throws MillraceError `invalid_response_data` if too many characters of addresses have been parsed for the response.
 */
export function parseSiteUrl(text: string, base?: string): URL | null {
  countAddress(text.length + (base?.length ?? 0));
  return parseUrl(text, base);
}

/**
 * Parses a URL that {@link parseSiteUrl} has accepted.
 *
 * @throws TypeError for any other text; MillraceError as {@link parseSiteUrl}.
 */
export function validSiteUrl(text: string): URL {
  countAddress(text.length);
  return validUrl(text);
}

/**
 * Returns an http or https URL in a response, as {@link httpUrl}.
 *
 * @throws MillraceError as {@link parseSiteUrl}.
 */
export function httpSiteUrl(value: unknown): string | undefined {
  if (typeof value === 'string') countAddress(value.length);
  return httpUrl(value);
}

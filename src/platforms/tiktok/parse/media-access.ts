import type { SourceStream } from '../../../contract/source-media.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteUrl } from '../../site-urls.ts';

/** How the media of one page can be fetched. */
export interface MediaAccess {
  /** Returns the access rules of a file's CDN, or undefined if it serves every client. */
  of(url: string): Required<Pick<SourceStream, 'headers' | 'relayOnly'>> | undefined;
}

/**
 * Returns the access rules for a page's media. Hosts of the site itself (`v16-webapp-prime.tiktok.com`) return 403
 * unless the request matches the browser that got the page: the same user agent, the site as referrer, and that page's
 * `tt_chain_token` cookie. The cookie belongs to `tiktok.com` and is sent nowhere else. Images and music are on other
 * hosts, which require nothing (seen 2026-07).
 */
export function mediaAccess({ headers }: SourceResponse, userAgent: string): MediaAccess {
  const token = chainToken(headers['set-cookie']);
  const access = {
    headers: {
      referer: 'https://www.tiktok.com/',
      'user-agent': userAgent,
      ...(token === undefined ? {} : { cookie: `tt_chain_token=${token}` }),
    },
    relayOnly: true,
  };
  return { of: (url) => (isGuarded(url) ? access : undefined) };
}

/** Returns whether a link requires the cookie, which is marked as secure and must not be sent without encryption. */
function isGuarded(link: string): boolean {
  const url = parseSiteUrl(link);
  return url?.protocol === 'https:' && /(?:^|\.)tiktok\.com$/.test(url.hostname);
}

function chainToken(setCookie: SourceResponse['headers'][string]): string | undefined {
  const cookies = typeof setCookie === 'string' ? [setCookie] : (setCookie ?? []);
  for (const cookie of cookies) {
    // Characters of a cookie value as in RFC 6265 §4.1.1, limited to a header's maximum length.
    const value = /^tt_chain_token=([\x21\x22-\x2b\x2d-\x3a\x3c-\x7e]{1,1024})(?:;|$)/.exec(cookie)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

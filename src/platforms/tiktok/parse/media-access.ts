import type { SourceStream } from '../../../contract/source-media.ts';
import type { SourceResponse } from '../../platform.ts';

/** How the media of one page can be fetched. */
export interface MediaAccess {
  /** The access rules of a file's CDN; undefined where it serves everybody. */
  of(url: string): Required<Pick<SourceStream, 'headers' | 'relayOnly'>> | undefined;
}

/**
 * The access to media that a page names. Links to hosts of the site itself (`v16-webapp-prime.tiktok.com`) are answered
 * with 403 but for the browser that got the page: the same user agent, the site as referrer, and the cookie
 * `tt_chain_token` that came with this very page. It belongs to `tiktok.com` and goes nowhere else; pictures and music
 * lie on other hosts, which ask for nothing (seen 2026-07).
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

/** The cookie is marked as secure: what is fetched without encryption does not get it. */
function isGuarded(link: string): boolean {
  const url = URL.parse(link);
  return url?.protocol === 'https:' && /(?:^|\.)tiktok\.com$/.test(url.hostname);
}

function chainToken(setCookie: SourceResponse['headers'][string]): string | undefined {
  const cookies = typeof setCookie === 'string' ? [setCookie] : (setCookie ?? []);
  for (const cookie of cookies) {
    // RFC 6265 §4.1.1, and no more than a header has room for.
    const value = /^tt_chain_token=([\x21\x22-\x2b\x2d-\x3a\x3c-\x7e]{1,1024})(?:;|$)/.exec(cookie)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

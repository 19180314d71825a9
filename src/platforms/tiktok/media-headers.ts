import type { SourceAnswer } from '../platform.ts';

/** What the media of a page can only be fetched with. */
export interface MediaHeaders {
  /** The headers that a file's CDN insists on; none where it serves everybody. */
  of(url: string): Readonly<Record<string, string>> | undefined;
}

/**
 * The headers for media that a page names. Links to hosts of the site itself (`v16-webapp-prime.tiktok.com`) are
 * answered with 403 but for the browser that got the page: the same user agent, the site as referrer, and the cookie
 * `tt_chain_token` that came with this very page. It belongs to `tiktok.com` and goes nowhere else; pictures and music
 * lie on other hosts, which ask for nothing (seen 2026-07).
 */
export function mediaHeaders({ headers }: SourceAnswer, userAgent: string): MediaHeaders {
  const token = chainToken(headers['set-cookie']);
  const all = {
    referer: 'https://www.tiktok.com/',
    'user-agent': userAgent,
    ...(token === undefined ? {} : { cookie: `tt_chain_token=${token}` }),
  };
  return { of: (url) => (/(?:^|\.)tiktok\.com$/.test(URL.parse(url)?.hostname ?? '') ? all : undefined) };
}

function chainToken(setCookie: SourceAnswer['headers'][string]): string | undefined {
  const cookies = typeof setCookie === 'string' ? [setCookie] : (setCookie ?? []);
  for (const cookie of cookies) {
    // RFC 6265 §4.1.1, and no more than a header has room for.
    const value = /^tt_chain_token=([\x21\x22-\x2b\x2d-\x3a\x3c-\x7e]{1,1024})(?:;|$)/.exec(cookie)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

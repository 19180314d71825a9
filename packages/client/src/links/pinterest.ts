import { siteOf } from './site.ts';

const pin = (pinId: string) => ({ endpoint: 'pin/details', parameters: { pinId } }) as const;

const shortHost = /^(?:www\.)?pin\.it$/;

/** p6, which has a domain in about forty countries, and languages as subdomains. */
export const pinterest = siteOf(
  'p6',
  /^(?:www\.)?pin\.it$|^(?:[a-z0-9-]{1,30}\.){0,3}pinterest\.(?:com|info|[a-z]{2})(?:\.[a-z]{2})?$/,
  ({ href, hostname, pathname }) => {
    // What a short link leads to is known to the site alone; the service follows it.
    if (shortHost.test(hostname)) return /^\/[A-Za-z0-9]{1,40}\/?$/.test(pathname) ? pin(href) : undefined;
    if (/^\/url_shortener\/[A-Za-z0-9]{1,40}\/redirect\/?$/.test(pathname)) return pin(href);
    // A title for people may stand before the number: /pin/a-title--123/.
    const id = /^\/(?:amp\/)?pin\/(?:[^/]*--)?(\d{5,25})(?:\/|$)/.exec(pathname)?.[1];
    return id === undefined ? undefined : pin(id);
  },
  (text) => (/^\d{15,20}$/.test(text) ? pin(text) : undefined),
);

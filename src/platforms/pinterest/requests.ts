import type { SourceClient, SourceResponse } from '../platform.ts';
import { changedHeaders } from '../request-headers.ts';
import { budgets, type Site } from './site.ts';

/** The main host. The site may redirect a visitor to a regional one. */
export const SITE = 'https://www.pinterest.com';

const MIB = 1024 * 1024;

function headers({ userAgent }: Site, accept: string) {
  return { 'user-agent': userAgent, accept, 'accept-language': 'en-US,en;q=0.9' };
}

/** Variations of the request for a pin's JSON. */
export interface ResourceVariation {
  /** The regional host, if the main one redirects to it. */
  readonly origin?: string;
  /** Whether to request the larger field set. */
  readonly detailed?: boolean;
}

/** Requests the JSON interface that the site's own pages use. No cookies are needed. */
export function requestResource(
  source: SourceClient,
  site: Site,
  pinId: string,
  { origin = SITE, detailed = false }: ResourceVariation = {},
): Promise<SourceResponse> {
  const path = `/pin/${pinId}/`;
  const options = { id: pinId, field_set_key: detailed ? site.detailedFieldSet : site.fieldSet };
  const query = new URLSearchParams({ source_url: path, data: JSON.stringify({ options }) });
  return source.get(`${origin}/resource/PinResource/get/?${query}`, {
    headers: changedHeaders(
      {
        ...headers(site, 'application/json, text/javascript, */*, q=0.01'),
        referer: `${origin}${path}`,
        'x-requested-with': 'XMLHttpRequest',
        'x-pinterest-appstate': 'active',
        'x-pinterest-pws-handler': site.pwsHandler,
        'x-pinterest-source-url': path,
        'sec-fetch-dest': 'empty',
        'sec-fetch-mode': 'cors',
        'sec-fetch-site': 'same-origin',
      },
      site.headers,
    ),
    maxBytes: 4 * MIB,
    timeout: detailed ? budgets.detailed : budgets.resource,
  });
}

/** Requests the page of a pin as a browser does. */
export function requestPage(source: SourceClient, site: Site, pinId: string): Promise<SourceResponse> {
  return source.get(`${SITE}/pin/${pinId}/`, {
    headers: headers(site, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'),
    timeout: budgets.page,
  });
}

/** Requests the pin preview for other sites: title, author and a small image. */
export function requestOembed(source: SourceClient, site: Site, pinId: string): Promise<SourceResponse> {
  const query = new URLSearchParams({ url: `${SITE}/pin/${pinId}/` });
  return source.get(`${SITE}/oembed.json?${query}`, {
    headers: headers(site, 'application/json'),
    maxBytes: MIB,
    timeout: budgets.oembed,
  });
}

/** Requests the target of a short link, without fetching the page there. */
export function requestShortLink(source: SourceClient, site: Site, code: string): Promise<SourceResponse> {
  return source.get(`https://api.pinterest.com/url_shortener/${code}/redirect/`, {
    headers: headers(site, 'text/html,*/*;q=0.8'),
    timeout: budgets.shortLink,
    maxBytes: MIB,
    followRedirects: false,
  });
}

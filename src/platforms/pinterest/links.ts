import { queryParameter } from '../../contract/query-parameters.ts';
import { type LinkTarget, type PlatformLinks, webUrl } from '../link-target.ts';

/** A reference to a pin: its ID, or the code of a short link to it. */
export type PinReference = { readonly id: string } | { readonly shortCode: string };

/** Usually 15 to 20 digits; older IDs are shorter. */
const wholeId = /^\d{5,25}$/;

/** Returns whether a text is a pin ID. */
export function isPinId(text: string): boolean {
  return wholeId.test(text);
}

/**
 * Returns whether a host belongs to the site, which has domains for about forty countries and subdomains for languages.
 */
export function isSiteHost(host: string): boolean {
  return host.length < 80 && /^(?:[a-z0-9-]+\.){0,3}pinterest\.(?:com|info|[a-z]{2})(?:\.[a-z]{2})?$/.test(host);
}

/** Returns the pin that a link refers to, for every link format the site has used, or null for any other link. */
export function recognise(link: string): PinReference | null {
  const url = webUrl(link);
  return url === null ? null : referenceIn(url);
}

/** Returns whether a host belongs to the site or to its short links. */
export function isPlatformHost(host: string): boolean {
  return isSiteHost(host) || isShortHost(host);
}

/** The link readers of Pinterest. */
export const pinterest: PlatformLinks = {
  id: 'p6',
  name: 'Pinterest',
  idRank: 4,
  ofLink(url) {
    const reference = referenceIn(url);
    if (reference === null) return undefined;
    // Only the site can resolve a short link, so the endpoint follows it.
    return pin('id' in reference ? reference.id : url.href);
  },
  ofId: (text) => (/^\d{15,20}$/.test(text) ? pin(text) : undefined),
};

function pin(pinId: string): LinkTarget {
  return { endpoint: 'pin/details', parameters: { pinId } };
}

function referenceIn(url: URL): PinReference | null {
  const { hostname, pathname } = url;
  if (isShortHost(hostname)) {
    const shortCode = /^\/([A-Za-z0-9]{1,40})\/?$/.exec(pathname)?.[1];
    return shortCode === undefined ? null : { shortCode };
  }
  if (!isSiteHost(hostname)) return null;
  const shortCode = /^\/url_shortener\/([A-Za-z0-9]{1,40})\/redirect\/?$/.exec(pathname)?.[1];
  if (shortCode !== undefined) return { shortCode };
  // The frame of a pin on other sites: assets.pinterest.com/ext/embed.html?id=123.
  const framedId = pathname === '/ext/embed.html' ? queryParameter(url, 'id') : undefined;
  if (framedId !== undefined) return isPinId(framedId) ? { id: framedId } : null;
  // A readable title may precede the ID: /pin/a-title--123/.
  const id = /^\/(?:amp\/)?pin\/(?:[^/]*--)?(\d{5,25})(?:\/|$)/.exec(pathname)?.[1];
  return id === undefined ? null : { id };
}

function isShortHost(host: string): boolean {
  return host === 'pin.it' || host === 'www.pin.it';
}

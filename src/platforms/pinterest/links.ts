import { type LinkTarget, type PlatformLinks, webUrl } from '../link-target.ts';

/** What stands for a pin: its number, or the code of a short link, which leads to it. */
export type PinReference = { readonly id: string } | { readonly shortCode: string };

/** A pin by number (15 to 20 digits are usual, older ones have fewer), or a link. */
export const pinIdPattern = '^(?:[0-9]{5,25}|[hH][tT][tT][pP][sS]?://.+)$';

const wholeId = /^\d{5,25}$/;

/** Whether a text is the number of a pin. */
export function isPinId(text: string): boolean {
  return wholeId.test(text);
}

/** Whether a host is one of the site's, which has a domain in about forty countries and languages as subdomains. */
export function isSiteHost(host: string): boolean {
  return host.length < 80 && /^(?:[a-z0-9-]+\.){0,3}pinterest\.(?:com|info|[a-z]{2})(?:\.[a-z]{2})?$/.test(host);
}

/** What a link of the site means, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): PinReference | null {
  const url = webUrl(link);
  return url === null ? null : referenceIn(url);
}

/** Whether a host is one of the site's, or that of its short links. */
export function isPlatformHost(host: string): boolean {
  return isSiteHost(host) || isShortHost(host);
}

/** The public face of Pinterest. */
export const pinterest: PlatformLinks = {
  id: 'p6',
  name: 'Pinterest',
  idRank: 4,
  ofLink(url) {
    const reference = referenceIn(url);
    if (reference === null) return undefined;
    // Only the site knows what a short link leads to; the service follows it.
    return pin('id' in reference ? reference.id : url.href);
  },
  ofId: (text) => (/^\d{15,20}$/.test(text) ? pin(text) : undefined),
};

function pin(pinId: string): LinkTarget {
  return { endpoint: 'pin/details', parameters: { pinId } };
}

function referenceIn({ hostname, pathname }: URL): PinReference | null {
  if (isShortHost(hostname)) {
    const shortCode = /^\/([A-Za-z0-9]{1,40})\/?$/.exec(pathname)?.[1];
    return shortCode === undefined ? null : { shortCode };
  }
  if (!isSiteHost(hostname)) return null;
  const shortCode = /^\/url_shortener\/([A-Za-z0-9]{1,40})\/redirect\/?$/.exec(pathname)?.[1];
  if (shortCode !== undefined) return { shortCode };
  // A title for people may stand before the number: /pin/a-title--123/.
  const id = /^\/(?:amp\/)?pin\/(?:[^/]*--)?(\d{5,25})(?:\/|$)/.exec(pathname)?.[1];
  return id === undefined ? null : { id };
}

function isShortHost(host: string): boolean {
  return host === 'pin.it' || host === 'www.pin.it';
}

import { type LinkTarget, type PlatformLinks, webUrl } from '../link-target.ts';

/** A post. The name of its author is part of its address, but the site finds it without. */
export interface PostLink {
  readonly kind: 'post';
  readonly id: string;
  readonly user?: string;
}

/** A user's profile. */
export interface ProfileLink {
  readonly kind: 'profile';
  readonly user: string;
}

/** A link that leads to another one. */
export interface ShortLink {
  readonly kind: 'short';
  readonly url: string;
}

/** What a link of the site can mean. */
export type SiteLink = PostLink | ProfileLink | ShortLink;

/** The site's main address. */
export const SITE = 'https://www.tiktok.com';
const siteHosts = new Set(['tiktok.com', 'www.tiktok.com', 'm.tiktok.com']);
const shortHosts = new Set(['vm.tiktok.com', 'vt.tiktok.com']);

/** 19 digits, of which the upper 32 bits are the second of the upload. */
const postPaths = [
  /^\/@(?<user>[\w.-]{1,64})?\/(?:video|photo)\/(?<id>\d{19})\/?$/,
  /^\/(?:i18n\/)?share\/video\/(?<id>\d{19})\/?$/,
  /^\/embed\/(?:v2\/)?(?<id>\d{19})\/?$/,
  /^\/v\/(?<id>\d{19})\.html$/,
];

/** The page of a user, or of the user's live stream. */
const profilePath = /^\/@(?<user>[\w.-]{1,64})(?:\/live)?\/?$/;

/** A user's id in place of a name, which leads to no page. */
const secretUserId = /^MS4wLjABAAAA/;

/** The upper half of a post's number is the second of its upload: these begin in 2014, when the site did. */
const barePostId = /^[67]\d{18}$/;

/** What a link of the site means, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): SiteLink | null {
  const url = webUrl(link);
  return url === null ? null : linkIn(url);
}

/** The public face of TikTok. */
export const tiktok: PlatformLinks = {
  id: 'p4',
  name: 'TikTok',
  idRank: 3,
  ofLink(url) {
    const link = linkIn(url);
    if (link === null) return undefined;
    // Only the site knows what a short link leads to; the service follows it.
    return link.kind === 'profile' ? user(url.href) : post(url.href);
  },
  ofId(text) {
    if (barePostId.test(text)) return post(postUrl({ id: text }));
    return /^@[\w.-]{1,64}$/.test(text) ? user(profileUrl(text.slice(1))) : undefined;
  },
};

/** Whether an address is one of the site's hosts. */
export function isOfSite(link: string): boolean {
  const hostname = webUrl(link)?.hostname ?? '';
  return /(?:^|\.)(?:tiktok|tiktokv)\.com$/.test(hostname);
}

/** The address of a post's page. Photo posts have their details under `/video/` only, for desktops. */
export function postUrl({ id, user = '_' }: Pick<PostLink, 'id' | 'user'>): string {
  return `${SITE}/@${user}/video/${id}`;
}

/** The address of a user's page. */
export function profileUrl(user: string): string {
  return `${SITE}/@${user}`;
}

/** The second in which a post was created, from its id. */
export function secondOf(postId: string): number {
  return Number(BigInt(postId) >> 32n);
}

function post(url: string): LinkTarget {
  return { endpoint: 'post/details', parameters: { url } };
}

function user(url: string): LinkTarget {
  return { endpoint: 'user/details', parameters: { url } };
}

function linkIn(url: URL): SiteLink | null {
  const { hostname, pathname } = url;
  if (shortHosts.has(hostname)) return /^\/[\w-]{1,64}\/?$/.test(pathname) ? shortLink(url) : null;
  if (hostname === 'www.tiktokv.com') return pathname.startsWith('/share/') ? postLink(pathname) : null;
  if (!siteHosts.has(hostname)) return null;
  if (/^\/t\/[\w-]{1,64}\/?$/.test(pathname)) return shortLink(url);
  return postLink(pathname) ?? profileLink(pathname);
}

function postLink(path: string): PostLink | null {
  for (const form of postPaths) {
    const { id, user } = form.exec(path)?.groups ?? {};
    if (id !== undefined) return { kind: 'post', id, ...(user === undefined ? {} : { user }) };
  }
  return null;
}

function profileLink(path: string): ProfileLink | null {
  const user = profilePath.exec(path)?.groups?.user;
  return user === undefined || secretUserId.test(user) ? null : { kind: 'profile', user };
}

function shortLink({ hostname, pathname }: URL): ShortLink {
  return { kind: 'short', url: `https://${hostname}${pathname}` };
}

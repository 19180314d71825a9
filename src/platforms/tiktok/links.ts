import { type LinkTarget, type PlatformLinks, webUrl, wordsIn } from '../link-target.ts';

/** A post. Its address contains the author's name, but the site finds it without the name. */
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

/** A short link. */
export interface ShortLink {
  readonly kind: 'short';
  readonly url: string;
}

/** The meaning of a link of the site. */
export type SiteLink = PostLink | ProfileLink | ShortLink;

/** The site's main address. */
export const SITE = 'https://www.tiktok.com';
const siteHosts = new Set(['tiktok.com', 'www.tiktok.com', 'm.tiktok.com', 'us.tiktok.com', 'lite.tiktok.com']);
const shortHosts = new Set(['vm.tiktok.com', 'vt.tiktok.com']);

/** Paths of posts. The ID has 19 digits, and its upper 32 bits are the upload time in seconds since 1970. */
const postPaths = [
  /^\/@(?<user>[\w.-]{1,64})?\/(?:video|photo)\/(?<id>\d{19})\/?$/,
  /^\/(?:i18n\/)?share\/video\/(?<id>\d{19})\/?$/,
  /^\/(?:embed|embed\/v2|player\/v1)\/(?<id>\d{19})\/?$/,
  /^\/v\/(?<id>\d{19})\.html$/,
];

/** Language before a user's name, such as `/en` or `/pt-BR`. */
const languagePrefix = /^\/[a-z]{2,3}(?:-[a-z]{2,4})?(?=\/@)/i;

/** Path of a user's page or live stream. */
const profilePath = /^\/@(?<user>[\w.-]{1,64})(?:\/live)?\/?$/;

/** Prefix of a user ID that replaces the name in a link. Such a link leads to no page. */
const secretUserId = /^MS4wLjABAAAA/;

/**
 * Pattern of a post ID without a link. The upper half of an ID is the upload time; the pattern starts with IDs of 2014,
 * when the site began.
 */
const barePostId = /^[67]\d{18}$/;

/** Pattern of a user's name without a link. */
const bareName = /^@([\w.-]{1,64})$/;

/** Returns the meaning of a link in any format that the site has used, or null for any other link. */
export function recognise(link: string): SiteLink | null {
  const url = webUrl(link);
  return url === null ? null : linkIn(url);
}

/** Returns the meaning of a post ID or of `@name`, or null for any other text. */
export function recogniseId(text: string): PostLink | ProfileLink | null {
  const [word = '', nextWord] = wordsIn(text);
  if (nextWord !== undefined) return null;
  if (barePostId.test(word)) return { kind: 'post', id: word };
  const user = bareName.exec(word)?.[1];
  return user === undefined || secretUserId.test(user) ? null : { kind: 'profile', user };
}

/** The link readers of TikTok. */
export const tiktok: PlatformLinks = {
  id: 'p4',
  name: 'TikTok',
  idRank: 3,
  ofLink(url) {
    const link = linkIn(url);
    if (link === null) return undefined;
    // Only the site can resolve a short link, so the endpoint follows it.
    return link.kind === 'profile' ? user(url.href) : post(url.href);
  },
  ofId(text) {
    const link = recogniseId(text);
    if (link === null) return undefined;
    return link.kind === 'profile' ? user(profileUrl(link.user)) : post(postUrl(link));
  },
};

/** Returns whether an address belongs to one of the site's hosts. */
export function isOfSite(link: string): boolean {
  const hostname = webUrl(link)?.hostname ?? '';
  return /(?:^|\.)(?:tiktok|tiktokv)\.com$/.test(hostname);
}

/** Returns the address of a post's page. On desktop, even photo posts have their details only under `/video/`. */
export function postUrl({ id, user = '_' }: Pick<PostLink, 'id' | 'user'>): string {
  return `${SITE}/@${user}/video/${id}`;
}

/** Returns the address of a user's page. */
export function profileUrl(user: string): string {
  return `${SITE}/@${user}`;
}

/** Returns the time at which a post was created, in seconds since 1970, from its ID. */
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
  const path = pathname.replace(languagePrefix, '');
  return postLink(path) ?? profileLink(path);
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

import { MillraceError } from '../../contract/errors.ts';

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

const SITE = 'https://www.tiktok.com';
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

/** What a link of the site means, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): SiteLink | null {
  const url = parse(link);
  if (url === null) return null;
  const { hostname, pathname } = url;
  if (shortHosts.has(hostname)) return /^\/[\w-]{1,64}\/?$/.test(pathname) ? shortLink(url) : null;
  if (hostname === 'www.tiktokv.com') return pathname.startsWith('/share/') ? postLink(pathname) : null;
  if (!siteHosts.has(hostname)) return null;
  if (/^\/t\/[\w-]{1,64}\/?$/.test(pathname)) return shortLink(url);
  return postLink(pathname) ?? profileLink(pathname);
}

/** Whether an address is one of the site's hosts. */
export function isOfSite(link: string): boolean {
  const hostname = parse(link)?.hostname ?? '';
  return /(?:^|\.)(?:tiktok|tiktokv)\.com$/.test(hostname);
}

/**
 * Reads the parameter `url`.
 *
 * @param wanted What the endpoint is about; short links may lead to either.
 * @throws MillraceError `invalid_url` or `invalid_platform_url`.
 */
export function readLink<Kind extends 'post' | 'profile'>(
  value: unknown,
  wanted: Kind,
): Extract<SiteLink, { kind: Kind }> | ShortLink {
  const text = typeof value === 'string' ? value.trim() : '';
  if (parse(text) === null) throw refused('invalid_url', 'is no link', wanted);
  if (!isOfSite(text)) throw refused('invalid_platform_url', 'is a link of another platform', wanted);
  const link = recognise(text);
  if (link?.kind === 'short') return link;
  if (link?.kind !== wanted) throw refused('invalid_url', `leads to no ${wanted}`, wanted);
  // Its kind was just seen to be the wanted one.
  return link as Extract<SiteLink, { kind: Kind }>;
}

/** The address of a post's page. Photo posts have their details under `/video/` only, where a desktop asks. */
export function postUrl({ id, user = '_' }: Pick<PostLink, 'id' | 'user'>): string {
  return `${SITE}/@${user}/video/${id}`;
}

/** The address of a user's page. */
export function profileUrl(user: string): string {
  return `${SITE}/@${user}`;
}

/** The second in which a post was made, as its id tells. */
export function secondOf(postId: string): number {
  return Number(BigInt(postId) >> 32n);
}

function parse(link: string): URL | null {
  const url = URL.parse(link);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
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

const examples = { post: `${SITE}/@name/video/7608826249200356630`, profile: `${SITE}/@name` } as const;

function refused(code: 'invalid_url' | 'invalid_platform_url', what: string, wanted: keyof typeof examples) {
  const message = `The value of url ${what}. Send a link of a TikTok ${wanted}, such as ${examples[wanted]}.`;
  return new MillraceError(code, message, { parameter: 'url' });
}

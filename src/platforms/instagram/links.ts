import { type LinkTarget, type PlatformLinks, pathSegments, webUrl } from '../link-target.ts';

/** The meaning of an Instagram link. `share` is a short link, which only the site can resolve. */
export type InstagramLink =
  | { readonly kind: 'post'; readonly code: string }
  | { readonly kind: 'audio'; readonly id: string }
  | { readonly kind: 'profile'; readonly username: string }
  | { readonly kind: 'share'; readonly url: string };

const hosts = /^(?:(?:www\.|m\.)?instagram\.com|(?:www\.)?instagr\.am)$/;
const codePattern = /^[A-Za-z0-9_-]{5,64}$/;
const usernamePattern = /^[A-Za-z0-9._]{1,30}$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Number of characters that a private post's shortcode has after the public part. */
const PRIVATE_TAIL = 28;

/** Maximum characters of the path of a short link, several times what the site uses. Sealed links contain it. */
const MAX_SHARE = 200;

/** First path segments that are not usernames. */
const reserved = new Set(
  (
    'accounts explore direct stories p reel reels tv about legal api graphql web challenge popular locations share ' +
    'developer press privacy terms directory topics oauth ajax emails session nametag ar'
  ).split(' '),
);

/** Returns whether a host belongs to Instagram. */
export function isInstagramHost(hostname: string): boolean {
  return hosts.test(hostname);
}

/** First path segments of posts. */
const postPaths = ['p', 'reel', 'reels', 'tv'];

/**
 * Current shortcodes, and those of private posts, which have 28 more characters. Requires a digit or an inner capital,
 * to exclude ordinary words.
 */
const bareCode = /^(?=.*(?:\d|.[A-Z]))[A-Za-z0-9_-]{11}(?:[A-Za-z0-9_-]{28})?$/;

/** Returns the meaning of a link in any format that the site has used, or null for any other link. */
export function recognise(link: string): InstagramLink | null {
  const url = webUrl(link);
  return url === null ? null : linkIn(url);
}

/** The link readers of Instagram. */
export const instagram: PlatformLinks = {
  id: 'p2',
  name: 'Instagram',
  idRank: 6,
  ofLink(url) {
    const link = linkIn(url);
    switch (link?.kind) {
      case 'post':
        return post(link.code);
      // Only the site can resolve a short link, so the endpoint follows it.
      case 'share':
        return post(link.url);
      case 'audio':
        return { endpoint: 'media/audio/details', parameters: { audioId: link.id } };
      case 'profile':
        return profile(link.username);
      default:
        return undefined;
    }
  },
  ofId(text) {
    if (text.startsWith('@')) return isUsername(text.slice(1)) ? profile(text.slice(1)) : undefined;
    return bareCode.test(text) ? post(text) : undefined;
  },
};

function post(shortcode: string): LinkTarget {
  return { endpoint: 'media/post/details', parameters: { shortcode } };
}

function profile(username: string): LinkTarget {
  return { endpoint: 'user/profile/details', parameters: { username } };
}

function linkIn(url: URL): InstagramLink | null {
  if (!hosts.test(url.hostname)) return null;
  const path = pathSegments(url);
  const [first = '', second = '', third = ''] = path;
  if (first === 'share')
    return second !== '' && url.pathname.length <= MAX_SHARE ? { kind: 'share', url: url.href } : null;
  if (first === 'reels' && second === 'audio') return /^\d{1,25}$/.test(third) ? { kind: 'audio', id: third } : null;
  if (postPaths.includes(first)) return isShortcode(second) ? { kind: 'post', code: second } : null;
  if (isUsername(first) && postPaths.includes(second) && isShortcode(third)) return { kind: 'post', code: third };
  return path.length === 1 && isUsername(first) ? { kind: 'profile', username: first } : null;
}

/** Returns whether a text can be a username. */
export function isUsername(text: string): boolean {
  return usernamePattern.test(text) && !reserved.has(text.toLowerCase());
}

/** Returns whether a text can be a shortcode. */
export function isShortcode(text: string): boolean {
  return codePattern.test(text);
}

/** Returns a value of the site if it is a shortcode. */
export function shortcodeOf(value: unknown): string | undefined {
  return typeof value === 'string' && isShortcode(value) ? value : undefined;
}

/** Returns whether a shortcode was shared from a private account. The post may still be public. */
export function isPrivateCode(code: string): boolean {
  return code.length > PRIVATE_TAIL;
}

/** Returns the public part of a shortcode. Shortcodes in links to posts of private accounts have 28 more characters. */
export function properCode(code: string): string {
  return isPrivateCode(code) ? code.slice(0, -PRIVATE_TAIL) : code;
}

/**
 * Returns a post's number: its shortcode decoded from base 64, most significant character first. The time grows with the
 * square of the length, so the text must be a shortcode ({@link isShortcode}).
 */
export function mediaIdOf(code: string): string {
  let id = 0n;
  for (const character of code) id = id * 64n + BigInt(alphabet.indexOf(character));
  return String(id);
}

import { type LinkTarget, type PlatformLinks, pathSegments, webUrl } from '../link-target.ts';

/** What a link of Instagram leads to. `share` is a short link whose goal only the site knows. */
export type InstagramLink =
  | { readonly kind: 'post'; readonly code: string }
  | { readonly kind: 'audio'; readonly id: string }
  | { readonly kind: 'profile'; readonly username: string }
  | { readonly kind: 'share'; readonly url: string };

const hosts = /^(?:(?:www\.|m\.)?instagram\.com|(?:www\.)?instagr\.am)$/;
const codePattern = /^[A-Za-z0-9_-]{5,64}$/;
const usernamePattern = /^[A-Za-z0-9._]{1,30}$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Characters that the code of a private post carries behind the code proper. */
const PRIVATE_TAIL = 28;

/** First segments of paths that are no usernames. */
const reserved = new Set(
  (
    'accounts explore direct stories p reel reels tv about legal api graphql web challenge popular locations share ' +
    'developer press privacy terms directory topics oauth ajax emails session nametag ar'
  ).split(' '),
);

/** Whether a host is Instagram's. */
export function isInstagramHost(hostname: string): boolean {
  return hosts.test(hostname);
}

/** Paths of posts. */
const postPaths = ['p', 'reel', 'reels', 'tv'];

/** Codes of today, and those of private posts, which have 28 characters more. A word has no digit or inner capital. */
const bareCode = /^(?=.*(?:\d|.[A-Z]))[A-Za-z0-9_-]{11}(?:[A-Za-z0-9_-]{28})?$/;

/** What a link leads to, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): InstagramLink | null {
  const url = webUrl(link);
  return url === null ? null : linkIn(url);
}

/** The public face of Instagram. */
export const instagram: PlatformLinks = {
  id: 'p2',
  name: 'Instagram',
  idRank: 6,
  ofLink(url) {
    const link = linkIn(url);
    switch (link?.kind) {
      case 'post':
        return post(link.code);
      // Only the site knows what a short link leads to; the service follows it.
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
  if (first === 'share') return second === '' ? null : { kind: 'share', url: url.href };
  if (first === 'reels' && second === 'audio') return /^\d{1,25}$/.test(third) ? { kind: 'audio', id: third } : null;
  if (postPaths.includes(first)) return isShortcode(second) ? { kind: 'post', code: second } : null;
  if (isUsername(first) && postPaths.includes(second) && isShortcode(third)) return { kind: 'post', code: third };
  return path.length === 1 && isUsername(first) ? { kind: 'profile', username: first } : null;
}

/** Whether a text can be the name of an account. */
export function isUsername(text: string): boolean {
  return usernamePattern.test(text) && !reserved.has(text.toLowerCase());
}

/** Whether a text can be the code of a post. */
export function isShortcode(text: string): boolean {
  return codePattern.test(text);
}

/** Whether a code was shared out of a private account; such a post may be public all the same. */
export function isPrivateCode(code: string): boolean {
  return code.length > PRIVATE_TAIL;
}

/** The code proper: links to posts of private accounts carry 28 characters more. */
export function properCode(code: string): string {
  return isPrivateCode(code) ? code.slice(0, -PRIVATE_TAIL) : code;
}

/** The number of a post: its code read in base 64, the first character weighing most. */
export function mediaIdOf(code: string): string {
  let id = 0n;
  for (const character of code) id = id * 64n + BigInt(alphabet.indexOf(character));
  return String(id);
}

import { siteOf } from './site.ts';

const code = /^[A-Za-z0-9_-]{5,64}$/;
const username = /^[A-Za-z0-9._]{1,30}$/;

/** Codes of today, and those of private posts, which have 28 characters more. */
const codeAlone = /^(?=.*(?:\d|.[A-Z]))[A-Za-z0-9_-]{11}(?:[A-Za-z0-9_-]{28})?$/;

const places: readonly string[] = ['p', 'reel', 'reels', 'tv'];

/** First steps of paths that are no usernames. */
const reserved = new Set(
  (
    'accounts explore direct stories p reel reels tv about legal api graphql web challenge popular locations share ' +
    'developer press privacy terms directory topics oauth ajax emails session nametag ar'
  ).split(' '),
);

const post = (shortcode: string) => ({ endpoint: 'media/post/details', parameters: { shortcode } }) as const;

const isUsername = (name: string) => username.test(name) && !reserved.has(name.toLowerCase());

const profile = (name: string) =>
  isUsername(name) ? ({ endpoint: 'user/profile/details', parameters: { username: name } } as const) : undefined;

/** p2. */
export const instagram = siteOf(
  'p2',
  /^(?:(?:www\.|m\.)?instagram\.com|(?:www\.)?instagr\.am)$/,
  (url, steps) => {
    const [first = '', second = '', third = ''] = steps;
    // What a short link leads to is known to the site alone; the service follows it.
    if (first === 'share') return second === '' ? undefined : post(url.href);
    if (first === 'reels' && second === 'audio') {
      return /^\d{1,25}$/.test(third) ? { endpoint: 'media/audio/details', parameters: { audioId: third } } : undefined;
    }
    if (places.includes(first)) return code.test(second) ? post(second) : undefined;
    if (isUsername(first) && places.includes(second) && code.test(third)) return post(third);
    return steps.length === 1 ? profile(first) : undefined;
  },
  (text) => {
    if (text.startsWith('@')) return profile(text.slice(1));
    return codeAlone.test(text) ? post(text) : undefined;
  },
);

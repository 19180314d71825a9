import * as platforms from '../../../src/platforms/links.ts';
import type { RecognisedLink } from './recognise-link.ts';

/** What a link leads to. */
export type ContentKind =
  | 'video'
  | 'post'
  | 'audio'
  | 'pin'
  | 'playlist'
  | 'hashtag'
  | 'search'
  | 'channel'
  | 'profile'
  | 'link';

/** Content types of endpoints, by path. */
const contentKinds: Readonly<Record<string, ContentKind>> = {
  'video/details': 'video',
  'post/details': 'post',
  'media/post/details': 'post',
  'media/audio/details': 'audio',
  'pin/details': 'pin',
  playlist: 'playlist',
  hashtag: 'hashtag',
  search: 'search',
  'channel/details': 'channel',
  'channel/id-from-handle': 'channel',
  'user/profile/details': 'profile',
  'user/details': 'profile',
  'profile/details': 'profile',
};

/** Returns what a link leads to; `link` for targets without a name. */
export function contentKind({ endpoint }: RecognisedLink): ContentKind {
  return contentKinds[endpoint] ?? 'link';
}

/** Describes the target of a link, such as "YouTube video". */
export function describeLink(link: RecognisedLink): string {
  const { platform } = link;
  const name = Object.values(platforms).find(({ id }) => id === platform)?.name ?? platform;
  return `${name} ${contentKind(link)}`;
}

/** Full links to the targets of IDs and names that several platforms could have, by platform and endpoint. */
const addresses: Readonly<Record<string, (value: string) => string>> = {
  'p1 video/details': (videoId) => `https://www.youtube.com/watch?v=${videoId}`,
  'p1 channel/id-from-handle': (handle) => `https://www.youtube.com/${handle}`,
  'p2 media/post/details': (shortcode) => `https://www.instagram.com/p/${shortcode}/`,
  'p2 user/profile/details': (username) => `https://www.instagram.com/${username}/`,
  'p3 post/details': (url) => url,
  'p4 post/details': (url) => url,
  'p4 user/details': (url) => url,
  'p6 pin/details': (pinId) => `https://www.pinterest.com/pin/${pinId}/`,
};

/**
 * Returns the full link to the target of an ID or a name that several platforms could have. Returns undefined for other
 * targets.
 */
export function addressOfTarget({ platform, endpoint, parameters }: RecognisedLink): string | undefined {
  const [value, another] = Object.values(parameters);
  return value === undefined || another !== undefined ? undefined : addresses[`${platform} ${endpoint}`]?.(value);
}

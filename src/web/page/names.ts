import type { PlatformId, RecognisedLink } from '#client/index.ts';

/** The platforms as people call them. */
export const platformNames: Readonly<Record<PlatformId, string>> = {
  p1: 'YouTube',
  p2: 'Instagram',
  p3: 'Facebook',
  p4: 'TikTok',
  p5: 'Dailymotion',
  p6: 'Pinterest',
};

/** What endpoints are about, by their paths. */
const kinds: Readonly<Record<string, string>> = {
  'video/details': 'video',
  'post/details': 'post',
  'media/post/details': 'post',
  'media/audio/details': 'sound',
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

/** What a link leads to, such as "YouTube video". */
export function describeLink({ platform, endpoint }: RecognisedLink): string {
  return `${platformNames[platform]} ${kinds[endpoint] ?? 'link'}`;
}

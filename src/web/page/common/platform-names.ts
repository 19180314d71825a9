import type { PlatformId, RecognisedLink } from '#client/index.ts';
import * as platforms from '../../../platforms/links.ts';

/** The names of the platforms, in the order of their IDs. */
export const platformNames = Object.fromEntries(
  Object.values(platforms)
    .map(({ id, name }) => [id, name] as const)
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
) as Readonly<Record<PlatformId, string>>; // The client library supports the same platforms.

/** Content types of endpoints, by path. */
const contentNames: Readonly<Record<string, string>> = {
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

/** Describes the target of a link, such as "YouTube video". */
export function describeLink({ platform, endpoint }: RecognisedLink): string {
  return `${platformNames[platform]} ${contentNames[endpoint] ?? 'link'}`;
}

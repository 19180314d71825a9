import { count, defined, type Fields, fields, flag, text, unlessEmpty } from '../../../parsing/values.ts';
import { mediaUrl } from './media-links.ts';

/**
 * Members with a user's picture, largest first, and the side of the square picture, for links that do not contain it.
 */
const avatars = [
  ['avatarLarger', 1080],
  ['avatarMedium', 720],
  ['avatarThumb', 100],
] as const;

/**
 * Returns a user in the format that all responses of the service use for people. `stats` may contain exact numbers as
 * text, or rounded ones.
 */
export function person(user: Fields, stats: Fields): Record<string, unknown> {
  const handle = text(user.uniqueId);
  return defined({
    id: text(user.id),
    name: text(user.nickname),
    handle,
    url: handle === undefined ? undefined : `https://www.tiktok.com/@${encodeURIComponent(handle)}`,
    secUid: text(user.secUid),
    description: text(user.signature),
    thumbnails: unlessEmpty(avatars.flatMap(([name, side]) => picture(user[name], side))),
    verified: flag(user.verified),
    private: flag(user.privateAccount),
    link: text(fields(user.bioLink).link),
    followerCount: count(stats.followerCount) ?? count(user.followerCount),
    followingCount: count(stats.followingCount) ?? count(user.followingCount),
    likeCount: count(stats.heartCount) ?? count(stats.heart) ?? count(user.heartCount),
    videoCount: count(stats.videoCount) ?? count(user.videoCount),
  });
}

/** Returns the exact counts if the site has them, or else the rounded ones. */
export function bestStats(exact: unknown, rounded: unknown): Fields {
  return { ...fields(rounded), ...fields(exact) };
}

function picture(link: unknown, side: number) {
  const url = mediaUrl(link);
  if (url === undefined) return [];
  const size = Number(/:(\d{2,4}):\d{2,4}\.[a-z]+\?/.exec(url)?.[1] ?? side);
  return [{ url, width: size, height: size }];
}

import { pictureLink } from '../links.ts';
import type { User } from '../world/users.ts';

/** Returns a user's images in three sizes. */
export function avatars({ name }: User) {
  const link = (side: number) => pictureLink(`avatar-${name}`, `tiktokx-cropcenter:${side}:${side}.jpeg`);
  return { avatarLarger: link(1080), avatarMedium: link(720), avatarThumb: link(100) };
}

/** Returns the counts of a user: rounded as numbers, exact as text. */
export function statsOf({ followers, following, hearts, videos }: User) {
  const counts = {
    followerCount: followers,
    followingCount: following,
    heart: hearts,
    heartCount: hearts,
    videoCount: videos,
    diggCount: 0,
    friendCount: 0,
  };
  const each = (change: (value: number) => number | string) =>
    Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, change(value)]));
  return { rounded: each(roundCount), exact: each(String) };
}

/** Rounds a count as the site does: to hundreds, from ten thousand on. */
export function roundCount(value: number): number {
  return value < 10_000 ? value : Math.round(value / 100) * 100;
}

/** Returns the members of a user that every page contains. */
export function userBasics(user: User) {
  return {
    id: user.id,
    uniqueId: user.name,
    nickname: user.nickname,
    ...avatars(user),
    signature: `Posts of ${user.nickname}`,
    verified: user.verified ?? false,
    secUid: user.secUid,
    relation: 0,
    isADVirtual: false,
  };
}

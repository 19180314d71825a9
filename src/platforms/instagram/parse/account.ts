import { count, defined, dig, fields, flag, httpUrl, text } from '../../../parsing/values.ts';
import { portraitSize } from './cdn.ts';
import type { Account } from './post.ts';

/** The digits of an id, without what the site puts around them (`POLARIS_…`, `…_owner`). */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value);
  return id === undefined ? undefined : /^(?:POLARIS_)?(\d{1,25})(?:_\d+)?$/.exec(id)?.[1];
}

/** An account in any of the site's shapes. Where `pk` stands, `id` may be the account's `fbid`. */
export function readAccount(value: unknown): Account {
  const user = fields(value);
  const id = idOf(user.pk) ?? idOf(user.id);
  return defined({
    // Numbers of 17 digits that begin with 1784 are those of the mother company.
    id: id !== undefined && user.pk === undefined && /^1784\d{13}$/.test(id) ? undefined : id,
    username: text(user.username),
    name: text(user.full_name),
    verified: flag(user.is_verified),
    private: flag(user.is_private),
    picture: httpUrl(user.profile_pic_url_hd) ?? httpUrl(user.profile_pic_url),
    followerCount: count(dig(user, 'edge_followed_by', 'count')) ?? count(user.follower_count),
  });
}

/** An account in the contract's shape. */
export function presentAccount({ id, username, name, verified, picture, followerCount, ...rest }: Account) {
  return defined({
    id,
    userId: id,
    username,
    name,
    handle: username,
    url: username === undefined ? undefined : `https://www.instagram.com/${encodeURIComponent(username)}/`,
    verified,
    private: rest.private,
    followerCount,
    thumbnails: picture === undefined ? undefined : [{ url: picture, ...portraitSize(picture) }],
  });
}

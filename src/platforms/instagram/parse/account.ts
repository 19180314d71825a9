import { count, defined, dig, fields, flag, text } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { portraitSize } from './cdn.ts';
import type { Account } from './post.ts';

/** Returns the digits of an ID, without the site's prefixes and suffixes (`POLARIS_…`, `…_owner`). */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value);
  return id === undefined ? undefined : /^(?:POLARIS_)?(\d{1,25})(?:_\d+)?$/.exec(id)?.[1];
}

/** Reads an account in any of the site's formats. If `pk` is present, `id` may be the account's `fbid`. */
export function readAccount(value: unknown): Account {
  const user = fields(value);
  const id = idOf(user.pk) ?? idOf(user.id);
  return defined({
    // 17-digit numbers that begin with 1784 are IDs of the parent company.
    id: id !== undefined && user.pk === undefined && /^1784\d{13}$/.test(id) ? undefined : id,
    username: text(user.username),
    name: text(user.full_name),
    verified: flag(user.is_verified),
    private: flag(user.is_private),
    picture: httpSiteUrl(user.profile_pic_url_hd) ?? httpSiteUrl(user.profile_pic_url),
    followerCount: count(dig(user, 'edge_followed_by', 'count')) ?? count(user.follower_count),
  });
}

/** Returns an account in the contract's format. */
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

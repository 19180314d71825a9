import { titleFor } from '../../../media/titles.ts';
import { portrait } from '../../illustrations.ts';
import { mediaLink, pictureHost } from '../links.ts';
import type { Account } from '../world/accounts.ts';

/** Part of a response. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns the link of an account's image. */
export function portraitOf({ username }: Account, side: 150 | 320 = 150): string {
  const transformation = `dst-jpg_s${side}x${side}_tt6`;
  return mediaLink(pictureHost, 'v/t51.2885-19', titleFor(username, 2), portrait(username, side), { transformation });
}

/** Returns an account within other data, as in pages for visitors and in the app. */
export function accountNode(account: Account): Node {
  return {
    pk: account.pk,
    id: account.fbid,
    username: account.username,
    full_name: account.name,
    profile_pic_url: portraitOf(account),
    is_verified: account.verified,
    is_unpublished: false,
  };
}

/** Returns a profile as its page contains it; the page hides the number of posts from visitors. */
export function profileNode(account: Account): Node {
  const { username } = account;
  return {
    ...accountNode(account),
    is_private: account.private,
    biography: `All about ${username} 🌎`,
    bio_links: [
      { link_id: '1', link_type: 'external', title: '', url: `https://${username.replace(/\W/g, '')}.lab.example/` },
    ],
    is_memorialized: false,
    pronouns: ['they', 'them'],
    follower_count: account.followers,
    following_count: account.following,
    all_media_count: null,
    latest_reel_media: 0,
    has_any_clips: true,
    is_coppa_enforced: false,
  };
}

/** Returns a profile as the interface returns it; its `id` is the number that pages call `pk`. */
export function webProfileNode(account: Account): Node {
  const link = `https://${account.username.replace(/\W/g, '')}.lab.example/`;
  return {
    id: account.pk,
    fbid: account.fbid,
    username: account.username,
    full_name: account.name,
    biography: `All about ${account.username} 🌎`,
    bio_links: [{ title: '', url: link, link_type: 'external' }],
    external_url: link,
    profile_pic_url: portraitOf(account),
    profile_pic_url_hd: portraitOf(account, 320),
    is_private: account.private,
    is_verified: account.verified,
    is_business_account: true,
    is_professional_account: true,
    category_name: 'Laboratory',
    pronouns: ['they', 'them'],
    follower_count: account.followers,
    following_count: account.following,
    has_clips: true,
    media_count: account.posts,
  };
}

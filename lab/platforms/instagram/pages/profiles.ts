import type { Exchange } from '../../../http/exchange.ts';
import { portraitOf, profileNode } from '../shapes/accounts.ts';
import { timelineNode } from '../shapes/polaris.ts';
import type { Account } from '../world/accounts.ts';
import { findPost, latestOf } from '../world/posts.ts';
import { sendPage, sendWall } from './walls.ts';

/** Handles `/<username>/`: the profile, and separately the latest posts. */
export function sendProfilePage(exchange: Exchange, account: Account): Promise<void> | void {
  const { scenario, username, name, pk } = account;
  if (scenario.page !== undefined) return sendWall(exchange, scenario.page, 'Profile');
  const post = findPost('lab-reel-12');
  const latest = account.private || post === undefined ? [] : latestOf(post);
  const posts = { pk, polaris_ordered_timeline_connection: timelineNode(account, latest) };
  // The site rounds large numbers.
  const count = (number: number) =>
    number.toLocaleString('en-US', number < 10_000 ? {} : { notation: 'compact', maximumSignificantDigits: 3 });
  return sendPage(exchange, {
    route: 'PolarisLoggedOutDesktopWWWProfileRoute',
    title: `${name} (@${username}) • Instagram photos and videos`,
    policy: 'polaris.profilePage',
    pageId: `profilePage_${pk}`,
    tags: {
      title: `${name} (@${username}) • Instagram photos and videos`,
      image: portraitOf(account),
      url: `https://www.instagram.com/${username}/`,
      description: [
        `${count(account.followers)} Followers, ${count(account.following)} Following, ${count(account.posts)} Posts`,
        `See Instagram photos and videos from ${name} (@${username})`,
      ].join(' - '),
    },
    data: scenario.headOnly
      ? {}
      : {
          PolarisLoggedOutDesktopWWWProfileRootContentQuery: { xig_user_by_username: profileNode(account) },
          PolarisLoggedOutDesktopWWWProfilePostsTabContentQuery: { xig_user_by_username: posts },
        },
  });
}

import { countMembers } from '../../../parsing/numbers.ts';
import {
  count,
  defined,
  dig,
  fields,
  flag,
  httpUrl,
  isFields,
  list,
  parseJson,
  text,
  unlessEmpty,
} from '../../../parsing/values.ts';
import { presentAccount, readAccount } from './account.ts';
import { openGraph, valuesInPage } from './page.ts';

/** A profile in the contract's format. */
export type Profile = Record<string, unknown> & { readonly userId?: string; readonly private?: boolean };

/** Finds a profile in its page, which contains it in several parts. Returns undefined if it is absent. */
export function findProfileInPage(html: string, username: string): Profile | undefined {
  const users = valuesInPage(html, 'xig_user_by_username').filter(isFields);
  const match = users.find((user) => isNamed(user, username));
  if (match === undefined) return undefined;
  const timeline = users.find(
    ({ pk, polaris_ordered_timeline_connection: posts }) => pk === match.pk && isFields(posts),
  );
  const posts = list(dig(timeline, 'polaris_ordered_timeline_connection', 'edges')).flatMap((edge) =>
    readTile(dig(edge, 'node')),
  );
  const postsText = / ([\d.,]{1,20}[KMB]?) Posts?\b/i.exec(openGraph(html, 'description') ?? '')?.[1];
  // The page has a rounded post count, which its profile data omits.
  return { ...countMembers('postCount', postsText), ...readProfile(match), ...defined({ posts: unlessEmpty(posts) }) };
}

/**
 * Finds a profile in the response of the site's interface. Returns undefined if it is absent, null if the account does
 * not exist.
 */
export function findProfileInJson(body: string, username: string): Profile | null | undefined {
  const data = dig(parseJson(body), 'data');
  if (!isFields(data) || !Object.hasOwn(data, 'user')) return undefined;
  if (data.user === null) return null;
  return isFields(data.user) && isNamed(data.user, username) ? readProfile(data.user) : undefined;
}

function isNamed(user: Readonly<Record<string, unknown>>, username: string): boolean {
  return typeof user.username === 'string' && user.username.toLowerCase() === username.toLowerCase();
}

function readProfile(user: Readonly<Record<string, unknown>>): Profile {
  const account = readAccount(user);
  const urls = list(user.bio_links).flatMap((link) => {
    const url = httpUrl(dig(link, 'url'));
    return url === undefined ? [] : [defined({ url, title: text(dig(link, 'title')) })];
  });
  return {
    ...presentAccount(account),
    ...defined({
      biography: text(user.biography),
      links: unlessEmpty(urls),
      externalUrl: httpUrl(user.external_url),
      followingCount: count(user.following_count) ?? count(dig(user, 'edge_follow', 'count')),
      postCount:
        count(user.all_media_count) ??
        count(user.media_count) ??
        count(dig(user, 'edge_owner_to_timeline_media', 'count')),
      category: text(user.category_name),
      business: flag(user.is_business_account),
      professional: flag(user.is_professional_account),
      hasReels: flag(user.has_any_clips) ?? flag(user.has_clips),
      pronouns: unlessEmpty(list(user.pronouns).flatMap((pronoun) => text(pronoun) ?? [])),
    }),
  };
}

function readTile(value: unknown) {
  const node = fields(value);
  const code = text(node.code);
  if (code === undefined) return [];
  const picture = httpUrl(node.display_uri);
  const kinds: Readonly<Record<number, string>> = { 1: 'image', 2: 'video', 8: 'carousel' };
  return [
    defined({
      type: node.product_type === 'clips' ? 'reel' : (kinds[Number(node.media_type)] ?? 'post'),
      id: text(node.pk),
      shortcode: code,
      url: `https://www.instagram.com/${node.product_type === 'clips' ? 'reel' : 'p'}/${encodeURIComponent(code)}/`,
      caption: text(dig(node, 'caption', 'text')),
      mediaCount: count(node.carousel_media_count),
      thumbnails: picture === undefined ? undefined : [{ url: picture }],
    }),
  ];
}

import { countMembers } from '../../../parsing/numbers.ts';
import {
  count,
  defined,
  dig,
  type Fields,
  fields,
  flag,
  isFields,
  list,
  text,
  unlessEmpty,
} from '../../../parsing/values.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';
import { kindOf, type UnreadKinds } from '../../unread.ts';
import { shortcodeOf } from '../links.ts';
import { presentAccount, readAccount } from './account.ts';
import { parseAnswer } from './answer.ts';
import { openGraph } from './page.ts';
import { isOutsideBlocks, jsonBlocks, valuesInPage, walk } from './page-data.ts';
import { type ReadList, readList, unreadList } from './readable.ts';

/** A profile in the contract's format. */
export type Profile = Record<string, unknown> & { readonly userId?: string; readonly private?: boolean };

/** A profile, with the posts of its timeline that could not be read, or the kind of an object in an unknown format. */
export type ProfileResult =
  | { readonly profile: Profile; readonly unread: UnreadKinds }
  | { readonly profile?: undefined; readonly unread: UnreadKinds };

const USER = 'xig_user_by_username';
const TIMELINE = 'polaris_ordered_timeline_connection';

/** Finds a profile in its page, which contains it in several parts. Returns undefined if it is absent. */
export function findProfileInPage(html: string, username: string): ProfileResult | undefined {
  const users = valuesInPage(html, USER).filter(isFields);
  const match = users.find((user) => isNamed(user, username));
  if (match === undefined) {
    const unknown = unknownProfile(() => jsonBlocks(html, '"username"'), username);
    // The page has another name for the username, or its data in another kind of script.
    const isUnreadable = users.some(isNameless) || isOutsideBlocks(html, `"${USER}"`);
    return unknown ?? (isUnreadable ? { unread: { [USER]: 1 } } : undefined);
  }
  const posts = readTimeline(users.filter(({ pk }) => pk === match.pk));
  const postsText = countTextsIn(html).posts;
  // The page has a rounded post count, which its profile data omits.
  const profile = { ...countMembers('postCount', postsText), ...readProfile(match) };
  return { profile: { ...profile, ...defined({ posts: unlessEmpty(posts.entries) }) }, unread: posts.unread };
}

/**
 * Finds a profile in the response of the site's interface. Returns undefined if it is absent, null if the account does
 * not exist.
 */
export function findProfileInJson(body: string, username: string): ProfileResult | null | undefined {
  const answer = parseAnswer(body);
  const data = dig(answer, 'data');
  if (isFields(data) && data.user === null) return null;
  const user = dig(data, 'user');
  if (isFields(user) && isNamed(user, username)) return { profile: readProfile(user), unread: {} };
  return unknownProfile(() => [answer], username);
}

/**
 * Reads the head of a profile's page, which the site also sends without the profile's data: the ID, the name, the
 * picture, and rounded counts. Returns undefined if the page is not that of the account.
 */
export function readProfileHead(html: string, username: string): Profile | undefined {
  const person = personIn(openGraph(html, 'title')) ?? personIn(openGraph(html, 'description'));
  const link = parseSiteUrl(openGraph(html, 'url') ?? '')?.pathname.replaceAll('/', '');
  const names = [person?.username, link, ...valuesInPage(html, 'username')];
  const isRequested = names.some((name) => typeof name === 'string' && isSameName(name, username));
  const [id, ...otherIds] = new Set(Array.from(html.matchAll(/\bprofilePage_(\d{1,25})\b/g), ([, digits]) => digits));
  if (!isRequested || id === undefined || otherIds.length > 0) return undefined;
  const { followers, following, posts } = countTextsIn(html);
  return {
    ...presentAccount(
      defined({
        id,
        username: person?.username ?? username,
        name: person?.name,
        picture: httpSiteUrl(openGraph(html, 'image')),
      }),
    ),
    ...countMembers('followerCount', followers),
    ...countMembers('followingCount', following),
    ...countMembers('postCount', posts),
  };
}

/** Reads "National Geographic (@natgeo) • Instagram photos" or "… - See Instagram photos and videos from NASA (@nasa)". */
function personIn(content: string | undefined) {
  const end = content?.indexOf(' (@') ?? -1;
  if (content === undefined || end < 1 || end > 400) return undefined;
  const username = /^[\w.]{1,30}(?=\))/.exec(content.slice(end + 3))?.[0];
  const name = content.slice(0, end).split(' videos from ').at(-1);
  return username === undefined ? undefined : { username, name: text(name) };
}

/** Returns the counts in a page's description, such as "268M Followers, 194 Following, 32K Posts - See photos …". */
function countTextsIn(html: string) {
  const description = (openGraph(html, 'description') ?? '').slice(0, 300);
  const textOf = (pattern: RegExp) => pattern.exec(description)?.[1];
  return {
    followers: textOf(/(?:^| )([\d.,]{1,20}[KMB]?) Followers?\b/i),
    following: textOf(/ ([\d.,]{1,20}[KMB]?) Following\b/i),
    posts: textOf(/ ([\d.,]{1,20}[KMB]?) Posts?\b/i),
  };
}

function isNamed(user: Fields, username: string): boolean {
  return typeof user.username === 'string' && isSameName(user.username, username);
}

function isSameName(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** Finds a profile in an unknown place: an account with the name and more than other objects tell about their owners. */
function unknownProfile(roots: () => readonly unknown[], username: string): ProfileResult | undefined {
  let kind: string | undefined;
  for (const root of roots()) {
    walk(root, (name, value) => {
      if (kind !== undefined) return false;
      const isProfile = isFields(value) && isNamed(value, username) && looksLikeProfile(value);
      if (isProfile) kind = kindOf(value, /^\w{1,80}$/.test(name) ? name : 'user');
      return !isProfile;
    });
  }
  return kind === undefined ? undefined : { unread: { [kind]: 1 } };
}

function isNameless(user: Fields): boolean {
  return looksLikeProfile(user) && !Object.hasOwn(user, 'username');
}

function looksLikeProfile(user: Fields): boolean {
  return ['biography', 'bio_links', 'follower_count', 'edge_followed_by'].some((name) => Object.hasOwn(user, name));
}

function readProfile(user: Fields): Profile {
  const account = readAccount(user);
  const urls = list(user.bio_links).flatMap((link) => {
    const url = httpSiteUrl(dig(link, 'url'));
    return url === undefined ? [] : [defined({ url, title: text(dig(link, 'title')) })];
  });
  return {
    ...presentAccount(account),
    ...defined({
      biography: text(user.biography),
      links: unlessEmpty(urls),
      externalUrl: httpSiteUrl(user.external_url),
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

/** Reads the latest posts. Another list in the place of the timeline is one entry that could not be read. */
function readTimeline(users: readonly Fields[]): ReadList<Record<string, unknown>> {
  const connections = users.flatMap((user) => Object.entries(user)).filter(([, value]) => isFields(value));
  const timeline = fields(connections.find(([name]) => name === TIMELINE)?.[1]);
  const { edges } = timeline;
  if (Array.isArray(edges))
    return readList(
      edges.map((edge) => dig(edge, 'node') ?? edge),
      readTile,
      'timeline',
    );
  const other = connections.find(([, value]) => Object.values(fields(value)).some((member) => hasObjects(member)));
  return other === undefined ? { entries: [], unread: {} } : unreadList(other[1], other[0].slice(0, 80));
}

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some(isFields);
}

function readTile(value: unknown): Record<string, unknown> | undefined {
  const node = fields(value);
  const code = shortcodeOf(node.code);
  if (code === undefined) return undefined;
  const picture = httpSiteUrl(node.display_uri);
  const kinds: Readonly<Record<number, string>> = { 1: 'image', 2: 'video', 8: 'carousel' };
  return defined({
    type: node.product_type === 'clips' ? 'reel' : (kinds[Number(node.media_type)] ?? 'post'),
    id: text(node.pk),
    shortcode: code,
    url: `https://www.instagram.com/${node.product_type === 'clips' ? 'reel' : 'p'}/${encodeURIComponent(code)}/`,
    caption: text(dig(node, 'caption', 'text')),
    mediaCount: count(node.carousel_media_count),
    thumbnails: picture === undefined ? undefined : [{ url: picture }],
  });
}

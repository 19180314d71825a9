import { dig, type Fields, fields, isFields, list } from '../../../parsing/values.ts';
import { addUnread, kindOf, type UnreadKinds } from '../../unread.ts';
import { mediaIdOf } from '../links.ts';
import { idOf } from './account.ts';
import { readGraphPost } from './graphql-post.ts';
import { isOutsideBlocks, jsonBlocks, valuesInPage, valuesOf, valuesUnder, walk } from './page-data.ts';
import type { Post } from './post.ts';
import { readRestComments, readRestPost } from './rest-post.ts';

/**
 * A post, or the reason why the response has no post. It is `gated` if the site withholds it from signed-out visitors,
 * with the site's ruling if the response has one, and `absent` if the response has nothing in the post's position.
 * `unlisted` is a response in a known format without this post, as that of a query for reels about a photo.
 * `unanswered` says nothing about the post: since June 2026, the query by shortcode returns null for public posts too
 * (instaloader 2706).
 * `unread` has the kinds of the objects that are the post in an unknown format.
 */
export type PostResult =
  | { readonly post: Post }
  | { readonly refusal: 'gated' | 'absent' | 'unanswered' | 'unlisted'; readonly ruling?: unknown }
  | { readonly unread: UnreadKinds };

const names = {
  media: 'xig_polaris_media',
  clips: 'xdt_api__v1__clips__clips_on_logged_out_connection_v2',
  older: 'xdt_shortcode_media',
  oldest: 'shortcode_media',
  item: 'xdt_api__v1__media__shortcode__web_info',
  comments: 'xdt_api__v1__media__media_id__comments__connection',
  ruling: 'xdt_async_get_ruling_for_media_content_logged_out_v2',
} as const;

/** Finds a post in a page, which also contains other posts, such as the owner's latest. */
export function findPostInPage(html: string, code: string): PostResult | undefined {
  // The comments and the ruling are in separate blocks, which do not contain the code.
  const comments = () => valuesInPage(html, names.comments);
  const search = (content: string) => {
    const blocks = jsonBlocks(html, content);
    return findPost(blocks, placesIn(blocks), code, comments);
  };
  const result = search(`"${code}"`) ?? search(mediaIdOf(code));
  return (
    result ??
    rulingIn(valuesInPage(html, names.ruling)) ??
    (isOutsideBlocks(html, `"${code}"`) ? { unread: { page: 1 } } : undefined)
  );
}

/** Finds a post in a parsed query response. */
export function findPostInJson(root: unknown, code: string): PostResult | undefined {
  const places = placesIn([root]);
  const result = findPost([root], places, code, () => valuesUnder(root, names.comments));
  if (result !== undefined) return result;
  if (dig(root, 'data', names.media) === null) return { refusal: 'absent' };
  if (dig(root, 'data', names.older) === null) return { refusal: 'unanswered' };
  const isKnown = [...places.values()].some((values) => values.length > 0);
  return isKnown ? { refusal: 'unlisted' } : undefined;
}

/** An object in a place where the site puts the requested post. */
interface Candidate {
  readonly value: Fields;
  /** Returns undefined if the object has no post, because of the site's decision. */
  readonly read: (value: Fields) => PostResult | undefined;
}

/** The values of each of the known {@link names} in a response. */
type Places = ReadonlyMap<string, readonly unknown[]>;

function placesIn(roots: readonly unknown[]): Places {
  return valuesOf(roots, Object.values(names));
}

function findPost(
  roots: readonly unknown[],
  places: Places,
  code: string,
  comments: () => unknown[],
): PostResult | undefined {
  const others: PostResult[] = [];
  for (const { value, read } of candidatesIn(places, comments)) {
    const result = isAbout(value, code) ? read(value) : undefined;
    if (result === undefined) continue;
    if ('post' in result) return result;
    others.push(result);
  }
  return others.find((result) => 'refusal' in result) ?? others[0] ?? unknownPlaceOf(roots, code);
}

function* candidatesIn(places: Places, comments: () => unknown[]): Generator<Candidate> {
  const values = (name: string) => places.get(name) ?? [];
  for (const media of values(names.media)) {
    const open = dig(media, 'if_not_gated_logged_out');
    yield { value: { ...fields(media), ...fields(open) }, read: () => readPolaris(fields(media)) };
  }
  for (const edge of values(names.clips).flatMap((connection) => list(dig(connection, 'edges')))) {
    yield { value: fields(dig(edge, 'node', 'media')), read: readWith(readRestPost, names.clips) };
  }
  for (const name of [names.older, names.oldest]) {
    for (const media of values(name)) yield { value: fields(media), read: readWith(readGraphPost, name) };
  }
  for (const item of values(names.item).flatMap((info) => list(dig(info, 'items')))) {
    const read = (value: Fields) => withComments(readWith(readRestPost, names.item)(value), comments);
    yield { value: fields(item), read };
  }
}

/** Reads a post in the format of pages since 2026, which is in a member that gated posts do not have. */
function readPolaris(media: Fields): PostResult | undefined {
  const open = media.if_not_gated_logged_out;
  if (isFields(open)) {
    const result = readWith(readRestPost, names.media)({ ...media, ...open });
    return withComments(result, () => [media.comments_connection]);
  }
  if (open !== null) return { unread: { [kindOf(media, names.media)]: 1 } };
  return isFields(media.gating_ruling) ? { refusal: 'gated' } : undefined;
}

/** Creates the reader of an object that must be a post with images or videos. */
function readWith(read: (value: unknown) => Post | undefined, place: string): (value: Fields) => PostResult {
  return (value) => {
    const post = read(value);
    // The site withholds the files of private accounts.
    if (post !== undefined && (post.media.length > 0 || post.author.private === true)) return { post };
    return { unread: post === undefined ? { [kindOf(value, place)]: 1 } : post.unread };
  };
}

function withComments(result: PostResult, connections: () => readonly unknown[]): PostResult {
  if (!('post' in result)) return result;
  const read = connections().map(readRestComments);
  const comments = read.flatMap(({ entries }) => entries);
  const unread = addUnread(result.post.unread, ...read.map((each) => each.unread));
  return { post: { ...result.post, unread, ...(comments.length > 0 ? { comments } : {}) } };
}

/** Returns whether an object is the post with a code: by its code, or by its number if it has no code. */
function isAbout(value: Fields, code: string): boolean {
  const own = value.code ?? value.shortcode;
  return own === undefined ? idOf(value.pk ?? value.id) === mediaIdOf(code) : own === code;
}

/** Finds the post in an unknown place. Lists of other posts, which may contain it too, are no such place. */
function unknownPlaceOf(roots: readonly unknown[], code: string): PostResult | undefined {
  const places = new Set<string>(Object.values(names));
  let kind: string | undefined;
  for (const root of roots) {
    walk(root, (name, value) => {
      if (kind !== undefined || /timeline|profile|comments/.test(name)) return false;
      // The post may be deeper in a known place than it was, but what is directly in it has been read.
      if (places.has(name)) return true;
      const isPost = isFields(value) && looksLikePost(value) && isAbout(value, code);
      if (isPost) kind = kindOf(value, /^\w{1,80}$/.test(name) ? name : 'post');
      return !isPost;
    });
  }
  return kind === undefined ? undefined : { unread: { [kind]: 1 } };
}

/** Returns whether an object describes a post. The parameters of pages and queries have a code too, but nothing else. */
function looksLikePost(value: Fields): boolean {
  return ['pk', 'id', '__typename', 'media_type', 'taken_at'].some((name) => Object.hasOwn(value, name));
}

/** Returns the site's ruling in a page without the post, if it gives a reason. */
function rulingIn(rulings: readonly unknown[]): PostResult | undefined {
  const ruling = rulings.find((value) => typeof dig(value, 'title') === 'string' && dig(value, 'title') !== '');
  return ruling === undefined ? undefined : { refusal: 'gated', ruling };
}

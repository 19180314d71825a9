import { dig, fields, isFields, list, parseJson } from '../../../parsing/values.ts';
import { readGraphPost } from './graphql-post.ts';
import { valuesInPage, valuesUnder } from './page.ts';
import type { Post } from './post.ts';
import { readRestComments, readRestPost } from './rest-post.ts';

/**
 * A post, or the reason why the response has no post: `gated` if the site withholds it from signed-out visitors,
 * `absent` if the response has nothing in the post's position.
 */
export type PostResult = { readonly post: Post } | { readonly refusal: 'gated' | 'absent' };

const names = {
  media: 'xig_polaris_media',
  clips: 'xdt_api__v1__clips__clips_on_logged_out_connection_v2',
  older: 'xdt_shortcode_media',
  oldest: 'shortcode_media',
  item: 'xdt_api__v1__media__shortcode__web_info',
  comments: 'xdt_api__v1__media__media_id__comments__connection',
} as const;

/** Finds a post in a page, which also contains other posts, such as the owner's latest. */
export function findPostInPage(html: string, code: string): PostResult | undefined {
  return findPost((name) => valuesInPage(html, name), code);
}

/** Finds a post in a query response. */
export function findPostInJson(text: string, code: string): PostResult | undefined {
  const root = parseJson(text);
  const match = findPost((name) => valuesUnder(root, name), code);
  if (match !== undefined) return match;
  const absent = [names.media, names.older].some((name) => dig(root, 'data', name) === null);
  return absent ? { refusal: 'absent' } : undefined;
}

/** Finds a post in the embed page, whose data is JSON inside a JSON string. */
export function findPostInEmbed(html: string, code: string): PostResult | undefined {
  const literal = contextLiteral(html);
  const context = literal === undefined ? undefined : parseJson(literal);
  return typeof context === 'string' ? findPostInJson(context, code) : undefined;
}

/** Returns the JSON string after `"contextJSON":`, with its quotes. */
function contextLiteral(html: string): string | undefined {
  const name = '"contextJSON":';
  const begin = html.indexOf(`${name}"`);
  if (begin < 0) return undefined;
  const first = begin + name.length;
  for (let at = first + 1; at < html.length; at += 1) {
    if (html[at] === '"') return html.slice(first, at + 1);
    if (html[at] === '\\') at += 1;
  }
  return undefined;
}

function findPost(values: (name: string) => unknown[], code: string): PostResult | undefined {
  for (const media of values(names.media)) {
    const open = dig(media, 'if_not_gated_logged_out');
    if (isFields(open)) {
      const post = matchingPost(readRestPost({ ...fields(media), ...open }), code);
      const comments = readRestComments(dig(media, 'comments_connection'));
      if (post !== undefined) return { post: comments.length > 0 ? { ...post, comments } : post };
    } else if (dig(media, 'code') === code && isFields(dig(media, 'gating_ruling'))) return { refusal: 'gated' };
  }
  for (const connection of values(names.clips)) {
    for (const edge of list(dig(connection, 'edges'))) {
      const post = matchingPost(readRestPost(dig(edge, 'node', 'media')), code);
      if (post !== undefined) return { post };
    }
  }
  for (const media of [...values(names.older), ...values(names.oldest)]) {
    const post = matchingPost(readGraphPost(media), code);
    if (post !== undefined) return { post };
  }
  for (const info of values(names.item)) {
    for (const item of list(dig(info, 'items'))) {
      const post = matchingPost(readRestPost(item), code);
      const comments = values(names.comments).flatMap(readRestComments);
      if (post !== undefined) return { post: comments.length > 0 ? { ...post, comments } : post };
    }
  }
  return undefined;
}

/** Returns the post if it has the requested shortcode and any media. */
function matchingPost(post: Post | undefined, code: string): Post | undefined {
  const hasMedia = post?.media.some(({ videos, images, manifest }) => videos.length + images.length > 0 || manifest);
  return post?.code === code && hasMedia ? post : undefined;
}

import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import type { PostPage } from './page.ts';
import { ageRestricted, pageFailure, type Refusal, refusalOf } from './refusal.ts';
import { readVideoFiles } from './video-files.ts';

/** A post as its page describes it, not yet in the contract's shape. */
export interface Post {
  readonly item: Fields;
  readonly comments?: Fields;
}

/** The result of reading a post's page: the post, or the site's refusal. */
type PostPageResult =
  | { readonly post: Post; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly post?: never };

/**
 * Reads the page of a post.
 *
 * @throws MillraceError what a page without the post means: a login, a check for robots, an empty shell.
 */
export function readPost(response: SourceResponse, { detail, comments }: PostPage, id: string): PostPageResult {
  if (detail === undefined) throw pageFailure(response);
  const refusal = refusalOf(detail);
  if (refusal !== undefined) return { refusal };
  const item = fields(dig(detail.data, 'itemInfo', 'itemStruct'));
  if (text(item.id) !== id) {
    const what = item.id === undefined ? 'no post' : 'another post than the one asked for';
    throw new MillraceError('invalid_response_data', `TikTok answered with ${what}. Try again.`);
  }
  const error = missingMedia(item);
  if (error !== undefined) return { refusal: { error, elsewhere: false } };
  return { post: { item, ...(comments === undefined ? {} : { comments }) } };
}

/**
 * Why there is nothing to see of a post, where that is so.
 *
 * @throws MillraceError `invalid_response_data` where the page says nothing about media at all.
 */
function missingMedia(item: Fields): MillraceError | undefined {
  const photos = list(fields(item.imagePost).images).length;
  if (photos > 0 || readVideoFiles(fields(item.video)).length > 0) return undefined;
  if (item.isContentClassified === true) return ageRestricted();
  if (isFields(item.video) || isFields(item.imagePost)) {
    return new MillraceError('unavailable', 'TikTok names no file of this post.');
  }
  throw new MillraceError('invalid_response_data', 'TikTok answered with a post without media. Try again.');
}

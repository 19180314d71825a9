import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import type { PostPage } from './page.ts';
import { ageRestricted, pageFailure, type Refusal, refusalOf } from './refusal.ts';
import { readVideoFiles } from './video-files.ts';

/** A post as its page describes it, before conversion to the contract's format. */
export interface Post {
  readonly item: Fields;
  readonly comments?: Fields;
}

/** A post's page after parsing: the post, or the site's refusal. */
type PostPageResult =
  | { readonly post: Post; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly post?: never };

/**
 * Reads a post's page.
 *
 * @throws MillraceError for a page without the post: a login, a bot check, or an empty shell.
 */
export function readPost(response: SourceResponse, { detail, comments }: PostPage, id: string): PostPageResult {
  if (detail === undefined) throw pageFailure(response);
  const refusal = refusalOf(detail);
  if (refusal !== undefined) return { refusal };
  const item = fields(dig(detail.data, 'itemInfo', 'itemStruct'));
  if (text(item.id) !== id) {
    const what = item.id === undefined ? 'no post' : 'a post other than the requested one';
    throw new MillraceError('invalid_response_data', `TikTok returned ${what}. Try again.`);
  }
  const error = missingMedia(item);
  if (error !== undefined) return { refusal: { error, elsewhere: false } };
  return { post: { item, ...(comments === undefined ? {} : { comments }) } };
}

/**
 * Returns why a post has no media, or undefined if it has some.
 *
 * @throws MillraceError `invalid_response_data` if the page says nothing about media.
 */
function missingMedia(item: Fields): MillraceError | undefined {
  const photos = list(fields(item.imagePost).images).length;
  if (photos > 0 || readVideoFiles(fields(item.video)).length > 0) return undefined;
  if (item.isContentClassified === true) return ageRestricted();
  if (isFields(item.video) || isFields(item.imagePost)) {
    return new MillraceError('unavailable', 'TikTok lists no file for this post.');
  }
  throw new MillraceError('invalid_response_data', 'TikTok returned a post without media. Try again.');
}

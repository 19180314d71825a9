import { type SortBy, sortOrders } from '../parse/comments/comment.ts';
import { channelIdOf } from '../parse/ids.ts';
import { encodeMessage, encodeParams, findMember } from './protobuf.ts';

const SECTION = 'comments-section';

/**
 * Returns the token of a video's comments, as in the video's watch page.
 *
 * @param linkedCommentId A comment to list first, as in a link to that comment (`&lc=`).
 */
export function videoCommentsToken(videoId: string, sortBy: SortBy, linkedCommentId?: string): string {
  const options = encodeMessage([4, videoId], [6, sortOrders.indexOf(sortBy)], [15, 2], [16, linkedCommentId]);
  return encodeParams([2, encodeMessage([2, videoId])], [3, 6], [6, encodeMessage([4, options], [8, SECTION])]);
}

/**
 * Returns the token of a post's comments, which `browse` accepts along with all following tokens. No recording contains
 * one, so it is built as in youtubei.js 18.1.0, which omits the sort order if it is 0.
 */
export function postCommentsToken(channelId: string, postId: string, sortBy: SortBy): string {
  const order = sortOrders.indexOf(sortBy) || undefined;
  const options = encodeMessage([6, order], [15, 2], [29, postId], [30, channelId]);
  const section = encodeParams([2, 'posts'], [53, encodeMessage([4, options], [8, SECTION])]);
  return encodeParams([80_226_972, encodeMessage([2, 'FEcomment_post_detail_page_web_top_level'], [3, section])]);
}

/**
 * Returns the channel of a video from a token of the replies to one of its comments: `{[6]: {[3]: {[5]: id}}}` (in all
 * recordings, 2023-12 to 2026-07). Tokens of comments do not contain it.
 */
export function channelInToken(token: string): string | undefined {
  const id = findMember(token, 6, 3, 5);
  return id === undefined ? undefined : channelIdOf(Buffer.from(id).toString());
}

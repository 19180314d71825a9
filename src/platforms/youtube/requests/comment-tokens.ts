import { type SortBy, sortOrders } from '../parse/comments/comment.ts';
import { encodeMessage, encodeParams } from './protobuf.ts';

const SECTION = 'comments-section';

/**
 * The token of the comments under a video, as the watch page of the video holds it.
 *
 * @param linkedCommentId A comment that is to stand first, as in a link to that comment (`&lc=`).
 */
export function videoCommentsToken(videoId: string, sortBy: SortBy, linkedCommentId?: string): string {
  const options = encodeMessage([4, videoId], [6, sortOrders.indexOf(sortBy)], [15, 2], [16, linkedCommentId]);
  return encodeParams([2, encodeMessage([2, videoId])], [3, 6], [6, encodeMessage([4, options], [8, SECTION])]);
}

/**
 * The token of the comments under a post; `browse` returns them, and all that follow. No recording has one:
 * it is made as youtubei.js 18.1.0 makes it, which leaves out the zero of the first order.
 */
export function postCommentsToken(channelId: string, postId: string, sortBy: SortBy): string {
  const order = sortOrders.indexOf(sortBy) || undefined;
  const options = encodeMessage([6, order], [15, 2], [29, postId], [30, channelId]);
  const section = encodeParams([2, 'posts'], [53, encodeMessage([4, options], [8, SECTION])]);
  return encodeParams([80_226_972, encodeMessage([2, 'FEcomment_post_detail_page_web_top_level'], [3, section])]);
}

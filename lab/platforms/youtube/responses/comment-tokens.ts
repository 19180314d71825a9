import { decodeMessage, encodeMembers, inner, type Member, message, numberOf, textOf } from '../protobuf.ts';

/** Request for comments. */
export interface CommentsQuery {
  /** ID of a video or post. */
  readonly subject: string;
  readonly newest: boolean;
  readonly offset: number;
  /** Comment whose replies are requested. */
  readonly parent?: string;
  /** ID of the video's channel. Tokens of replies contain it. */
  readonly channelId?: string;
  /** Comment that a link names, which is returned first. */
  readonly linkedId?: string;
}

const browseBody = 80_226_972;
const postPages = 'FEcomment_post_detail_page_web_top_level';
const postReplies = 'FEcomment_post_detail_page_web_replies_page';

/** Returns the token of a video's first comments, as on its watch page. */
export function commentsToken(videoId: string): string {
  return writeCommentsToken({ subject: videoId, newest: false, offset: 0 });
}

/** Writes the token of a page of comments: of a video for `next`, of a post (`Ug…`) for `browse`. */
export function writeCommentsToken(query: CommentsQuery): string {
  const { subject, newest, offset, parent, linkedId, channelId } = query;
  const channel: Member[] = channelId === undefined ? [] : [[5, channelId]];
  const sort = newest ? 1 : 0;
  const place: Member[] = offset === 0 ? [] : [[5, offset]];
  const isPost = subject.startsWith('Ug');
  const target = parent === undefined ? 'comments-section' : `comment-replies-item-${parent}`;
  if (isPost) {
    const top = message([6, sort], [15, 2], [25, 0], [29, subject]);
    const what: Member = parent === undefined ? [4, top] : [3, message([2, parent], [29, subject])];
    const state = encodeMembers([2, 'posts'], [53, message(what, ...place, [7, 0], [8, target])]);
    return encodeMembers([browseBody, message([2, parent === undefined ? postPages : postReplies], [3, state])]);
  }
  const link: Member[] = linkedId === undefined ? [] : [[16, linkedId]];
  const what: Member =
    parent === undefined
      ? [4, message([4, subject], [6, sort], [15, 2], ...link)]
      : [3, message([2, parent], [4, message([1, 0])], ...channel, [6, subject], [8, 1], [9, 10])];
  return encodeMembers([2, message([2, subject])], [3, 6], [6, message(what, ...place, [8, target])]);
}

/** Reads a token of comments, from the lab or from a client; returns undefined for any other text. */
export function readCommentsToken(token: string): CommentsQuery | undefined {
  const message = decodeMessage(token);
  const browse = inner(message, browseBody);
  const state = browse === undefined ? inner(message, 6) : inner(decodeMessage(textOf(browse, 3) ?? ''), 53);
  const [top, replies] = [inner(state, 4), inner(state, 3)];
  const subject =
    textOf(top, 4) ?? textOf(top, 29) ?? textOf(replies, 6) ?? textOf(replies, 29) ?? textOf(inner(message, 2), 2);
  if (state === undefined || subject === undefined || (top === undefined && replies === undefined)) return undefined;
  const [parent, linked, channelId] = [textOf(replies, 2), textOf(top, 16), textOf(replies, 5)];
  return {
    subject,
    newest: numberOf(top, 6) === 1,
    offset: numberOf(state, 5) ?? 0,
    ...(parent === undefined ? {} : { parent }),
    ...(linked === undefined ? {} : { linkedId: linked }),
    ...(channelId === undefined ? {} : { channelId }),
  };
}

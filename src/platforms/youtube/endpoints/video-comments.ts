import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defined } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { videoCommentsToken } from '../comment-tokens.ts';
import { type CommentPage, sortByOf } from '../comments.ts';
import type { Innertube } from '../innertube.ts';
import type { MakeEndpoint } from '../make-endpoint.ts';
import { commentIdParameter, sortByParameter, videoIdParameter } from '../parameters.ts';
import { findComment } from '../parse/comments/page.ts';
import { readCommentSection } from '../parse/comments/section.ts';
import { answerComments, askComments, askFirstComments } from './comment-pages.ts';

/** The comments of a video by pages of 20, or the replies to one of them by pages of 10. */
export const videoComments: MakeEndpoint = (openInnertube) => ({
  path: '/video/comments',
  summary: 'Comments of a video, or replies to a comment',
  parameters: Type.Object({
    videoId: videoIdParameter,
    commentId: Type.Optional(commentIdParameter),
    sortBy: Type.Optional(sortByParameter),
    nextToken: Type.Optional(nextTokenParameter),
    lang: Type.Optional(langParameter),
  }),
  credits: 1,
  contents: false,
  returns: ['comments.threads', 'comments.nextToken'],
  async extract(parameters, context) {
    const innertube = openInnertube(parameters, context);
    return answerComments(await askPage(parameters, context.pages.cursor, innertube), context.pages);
  },
});

async function askPage(
  { videoId, commentId, sortBy }: EndpointParameters,
  cursor: string | undefined,
  innertube: Innertube,
): Promise<CommentPage> {
  if (cursor !== undefined) return await askComments(innertube, 'next', cursor);
  const id = String(videoId);
  if (typeof commentId === 'string') return await askReplies(id, commentId, innertube);
  return await askFirstComments(innertube, 'next', videoCommentsToken(id, sortByOf(sortBy)), async () =>
    readCommentSection(await innertube.ask('next', { videoId: id })),
  );
}

/**
 * The first replies to a comment. The comments are asked for as by a link to that comment, so that its thread stands
 * first: it holds its replies, or the token that leads to them.
 */
async function askReplies(videoId: string, commentId: string, innertube: Innertube): Promise<CommentPage> {
  const token = videoCommentsToken(videoId, 'TOP_COMMENTS', commentId);
  const { threads, messages, skipped } = await askComments(innertube, 'next', token);
  const comment = findComment(threads, commentId);
  if (comment === undefined) {
    throw new MillraceError('not_found', 'YouTube shows no comment with this id under the video.', {
      ...(messages[0] === undefined ? {} : { reason: messages[0] }),
    });
  }
  const { replies = [], repliesToken } = comment;
  if (replies.length === 0 && repliesToken !== undefined) return await askComments(innertube, 'next', repliesToken);
  return { threads: replies, ...defined({ continuation: repliesToken }), messages: [], skipped };
}

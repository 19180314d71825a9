import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defined } from '../../../parsing/values.ts';
import { defineEndpoint, type ParametersOf } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { commentsExtraction, fetchComments, fetchFirstComments } from '../find/comments.ts';
import { type CommentPage, sortByOf } from '../parse/comments/comment.ts';
import { findComment, unreadCommentsError } from '../parse/comments/comment-page.ts';
import { readCommentSectionMessages } from '../parse/comments/comment-section.ts';
import { videoCommentsToken } from '../requests/comment-tokens.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readVideoId } from './link-parameters.ts';
import { commentIdParameter, sortByParameter, videoIdParameter } from './parameters.ts';

const parametersSchema = Type.Object({
  videoId: videoIdParameter,
  commentId: Type.Optional(commentIdParameter),
  sortBy: Type.Optional(sortByParameter),
  nextToken: Type.Optional(nextTokenParameter),
  lang: Type.Optional(langParameter),
});

/** Creates the endpoint for a video's comments in pages of 20, or the replies to one of them in pages of 10. */
export const videoComments: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/video/comments',
    summary: 'Comments of a video, or replies to a comment',
    parameters: parametersSchema,
    credits: 1,
    contents: false,
    returns: ['comments.threads', 'comments.nextToken'],
    subjects: ({ videoId }) => ({ items: namedIn(readVideoId, videoId) }),
    async extract(parameters, context) {
      const innertube = openInnertube(parameters, context);
      return commentsExtraction(await fetchPage(parameters, context.pages.cursor, innertube), context.pages);
    },
  });

async function fetchPage(
  { commentId, sortBy, ...parameters }: ParametersOf<typeof parametersSchema>,
  cursor: string | undefined,
  innertube: Innertube,
): Promise<CommentPage> {
  const videoId = readVideoId(parameters.videoId);
  if (cursor !== undefined) return await fetchComments(innertube, 'next', cursor);
  if (commentId !== undefined) return await fetchReplies(videoId, commentId, innertube);
  return await fetchListed(videoId, videoCommentsToken(videoId, sortByOf(sortBy)), innertube);
}

/** Fetches the page of comments that a token for the video leads to, or the site's messages instead of comments. */
function fetchListed(videoId: string, token: string, innertube: Innertube): Promise<CommentPage> {
  return fetchFirstComments(innertube, 'next', token, async () =>
    readCommentSectionMessages(await innertube.request('next', { videoId })),
  );
}

/**
 * Fetches the first replies to a comment. Requests the comments as for a link to that comment, so that its thread is
 * first. The thread contains the comment's replies, or the token for them.
 */
async function fetchReplies(videoId: string, commentId: string, innertube: Innertube): Promise<CommentPage> {
  const token = videoCommentsToken(videoId, 'TOP_COMMENTS', commentId);
  const { threads, messages, unread } = await fetchListed(videoId, token, innertube);
  const comment = findComment(threads, commentId);
  if (comment === undefined && Object.keys(unread).length > 0) throw unreadCommentsError(unread);
  if (comment === undefined) {
    throw new MillraceError('not_found', 'YouTube has no comment with this ID under the video.', {
      ...(messages[0] === undefined ? {} : { reason: messages[0] }),
    });
  }
  const { replies = [], repliesToken } = comment;
  if (replies.length === 0 && repliesToken !== undefined) return await fetchComments(innertube, 'next', repliesToken);
  return { threads: replies, ...defined({ continuation: repliesToken }), messages: [], unread };
}

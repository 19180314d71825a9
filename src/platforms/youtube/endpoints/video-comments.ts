import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import type { Subjects } from '../../../contract/subjects.ts';
import { defined, type Fields } from '../../../parsing/values.ts';
import { defineEndpoint, type ParametersOf } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { channelOf, commentsExtraction, fetchComments, fetchFirstComments } from '../find/comments.ts';
import { type CommentPage, sortByOf } from '../parse/comments/comment.ts';
import { findComment, unreadCommentsError } from '../parse/comments/comment-page.ts';
import { readCommentSectionMessages } from '../parse/comments/comment-section.ts';
import { readWatchPage } from '../parse/watch/watch-page.ts';
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
      let pendingWatchPage: Promise<Fields> | undefined;
      const video = {
        id: readVideoId(parameters.videoId),
        innertube,
        fetchWatchPage() {
          pendingWatchPage ??= innertube.request('next', { videoId: video.id });
          return pendingWatchPage;
        },
      };
      const page = await fetchPage(parameters, context.pages.cursor, video);
      return await commentsExtraction(page, context.pages, async () => channelOfPage(await video.fetchWatchPage()));
    },
  });

/** A video whose comments are requested. */
interface Video {
  readonly id: string;
  readonly innertube: Innertube;
  /** Fetches the page around the video, once. */
  fetchWatchPage(): Promise<Fields>;
}

/** Returns the channels of a video, as its page states them. */
function channelOfPage(watchPage: Fields): Subjects {
  const { channel, collaborators = [] } = readWatchPage(watchPage);
  const channels = [channel, ...collaborators].flatMap((one) => [one?.id, one?.handle]);
  return { channels: channels.filter((name) => name !== undefined) };
}

async function fetchPage(
  { commentId, sortBy }: ParametersOf<typeof parametersSchema>,
  cursor: string | undefined,
  video: Video,
): Promise<CommentPage> {
  if (cursor !== undefined) return await fetchComments(video.innertube, 'next', cursor);
  if (commentId !== undefined) return await fetchReplies(video, commentId);
  return await fetchListed(video, videoCommentsToken(video.id, sortByOf(sortBy)));
}

/** Fetches the page of comments that a token for the video leads to, or the site's messages instead of comments. */
function fetchListed({ innertube, fetchWatchPage }: Video, token: string): Promise<CommentPage> {
  return fetchFirstComments(innertube, 'next', token, async () => readCommentSectionMessages(await fetchWatchPage()));
}

/**
 * Fetches the first replies to a comment. Requests the comments as for a link to that comment, so that its thread is
 * first. The thread contains the comment's replies, or the token for them.
 */
async function fetchReplies(video: Video, commentId: string): Promise<CommentPage> {
  const token = videoCommentsToken(video.id, 'TOP_COMMENTS', commentId);
  const listed = await fetchListed(video, token);
  const { threads, messages, unread } = listed;
  const comment = findComment(threads, commentId);
  if (comment === undefined && Object.keys(unread).length > 0) throw unreadCommentsError(unread);
  if (comment === undefined) {
    throw new MillraceError('not_found', 'YouTube has no comment with this ID under the video.', {
      ...(messages[0] === undefined ? {} : { reason: messages[0] }),
    });
  }
  const { replies = [], repliesToken } = comment;
  const subjects = channelOf(listed);
  if (replies.length === 0 && repliesToken !== undefined) {
    return { ...(await fetchComments(video.innertube, 'next', repliesToken)), subjects };
  }
  return { threads: replies, ...defined({ continuation: repliesToken }), subjects, messages: [], unread };
}

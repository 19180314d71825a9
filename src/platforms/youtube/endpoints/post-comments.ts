import Type from 'typebox';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defineEndpoint, type ParametersOf } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { commentsExtraction, fetchComments, fetchFirstComments } from '../find/comments.ts';
import { type CommentPage, sortByOf } from '../parse/comments/comment.ts';
import { readPostPage } from '../parse/post-page.ts';
import { postCommentsToken } from '../requests/comment-tokens.ts';
import type { Innertube } from '../requests/innertube.ts';
import { postParams } from '../requests/post-params.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readChannelId, readPostId } from './link-parameters.ts';
import { channelIdParameter, postIdParameter, sortByParameter } from './parameters.ts';

const parametersSchema = Type.Object({
  postId: postIdParameter,
  channelId: channelIdParameter,
  sortBy: Type.Optional(sortByParameter),
  nextToken: Type.Optional(nextTokenParameter),
  lang: Type.Optional(langParameter),
});

/** Creates the endpoint for a post's comments, in pages. */
export const postComments: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/post/comments',
    summary: 'Comments of a post',
    parameters: parametersSchema,
    credits: 1,
    contents: false,
    returns: ['comments.threads', 'comments.nextToken'],
    subjects: ({ postId, channelId }) => ({
      items: namedIn(readPostId, postId),
      channels: namedIn(readChannelId, channelId),
    }),
    async extract(parameters, context) {
      const innertube = openInnertube(parameters, context);
      // The request names the channel: the site finds a post only with its channel.
      const channel = { channels: [readChannelId(parameters.channelId)] };
      const page = await fetchPage(parameters, context.pages.cursor, innertube);
      return await commentsExtraction(page, context.pages, async () => channel);
    },
  });

async function fetchPage(
  { sortBy, ...parameters }: ParametersOf<typeof parametersSchema>,
  cursor: string | undefined,
  innertube: Innertube,
): Promise<CommentPage> {
  const postId = readPostId(parameters.postId);
  const channelId = readChannelId(parameters.channelId);
  if (cursor !== undefined) return await fetchComments(innertube, 'browse', cursor);
  const first = postCommentsToken(channelId, postId, sortByOf(sortBy));
  return await fetchFirstComments(innertube, 'browse', first, async () => {
    const page = { browseId: 'FEpost_detail', params: postParams(channelId, postId) };
    return readPostPage({ response: await innertube.request('browse', page) }, postId).messages;
  });
}

import Type from 'typebox';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import type { EndpointParameters } from '../../platform.ts';
import { postCommentsToken } from '../comment-tokens.ts';
import { type CommentPage, sortByOf } from '../comments.ts';
import type { Innertube } from '../innertube.ts';
import type { MakeEndpoint } from '../make-endpoint.ts';
import { channelIdParameter, postIdParameter, sortByParameter } from '../parameters.ts';
import { readPostPage } from '../parse/post-page.ts';
import { postParams } from '../post-params.ts';
import { answerComments, askComments, askFirstComments } from './comment-pages.ts';

/** The comments of a post by pages. */
export const postComments: MakeEndpoint = (openInnertube) => ({
  path: '/post/comments',
  summary: 'Comments of a post',
  parameters: Type.Object({
    postId: postIdParameter,
    channelId: channelIdParameter,
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
  parameters: EndpointParameters,
  cursor: string | undefined,
  innertube: Innertube,
): Promise<CommentPage> {
  if (cursor !== undefined) return await askComments(innertube, 'browse', cursor);
  const [postId, channelId] = [String(parameters.postId), String(parameters.channelId)];
  const first = postCommentsToken(channelId, postId, sortByOf(parameters.sortBy));
  return await askFirstComments(innertube, 'browse', first, async () => {
    const page = { browseId: 'FEpost_detail', params: postParams(channelId, postId) };
    return readPostPage({ answer: await innertube.ask('browse', page) }, postId).messages;
  });
}

import Type from 'typebox';
import { langParameter } from '../../../contract/parameters.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { partsOfPost } from '../parse/items/post-parts.ts';
import { readPostPage } from '../parse/post-page.ts';
import { postParams } from '../requests/post-params.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readChannelId, readPostId } from './link-parameters.ts';
import { channelIdParameter, postIdParameter } from './parameters.ts';

/** Creates the endpoint for a channel's post. */
export const postDetails: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/post/details',
    summary: 'Details of a post of a channel',
    parameters: Type.Object({
      postId: postIdParameter,
      channelId: channelIdParameter,
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['post'],
    subjects: ({ postId, channelId }) => ({
      items: namedIn(readPostId, postId),
      channels: namedIn(readChannelId, channelId),
    }),
    async extract(parameters, context) {
      const postId = readPostId(parameters.postId);
      const channelId = readChannelId(parameters.channelId);
      const result = await openInnertube(parameters, context).requestLocalised('browse', {
        browseId: 'FEpost_detail',
        params: postParams(channelId, postId),
      });
      const { post, unread } = readPostPage(result, postId);
      return { metadata: { post: { ...post } }, parts: partsOfPost(post, ['post']), unread };
    },
  });

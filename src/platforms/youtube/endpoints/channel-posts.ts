import Type from 'typebox';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { channelSubjects } from '../parse/channel-subjects.ts';
import { isTabOpen } from '../parse/channel-tabs.ts';
import type { ItemList } from '../parse/item-list.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { readLocalisedPage } from '../parse/localised-page.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readChannelId } from './link-parameters.ts';
import { channelIdParameter } from './parameters.ts';

/** `{[2]: "posts", [110]: {[1]: {[9]: {}}}}`: the posts tab, the same for every channel (seen until 2026-07). */
const POSTS_TAB = 'EgVwb3N0c_IGBAoCSgA=';

/** Names of that tab in its address. The second one was used until 2025. */
const tabNames: readonly string[] = ['posts', 'community'];

const noTab: ItemList = { items: [], messages: ['This channel has no posts.'], unread: {} };

/**
 * Creates the endpoint for a channel's posts in pages of 10, newest first. The list is empty if the channel has no
 * posts tab.
 */
export const channelPosts: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/channel/posts',
    summary: 'Posts of a channel',
    parameters: Type.Object({
      channelId: channelIdParameter,
      nextToken: Type.Optional(nextTokenParameter),
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['channel.posts.contents', 'channel.posts.nextToken'],
    subjects: ({ channelId }) => ({ channels: namedIn(readChannelId, channelId) }),
    async extract(parameters, context) {
      const { cursor, token } = context.pages;
      const browseId = readChannelId(parameters.channelId);
      const result = await openInnertube(parameters, context).requestLocalised(
        'browse',
        cursor === undefined ? { browseId, params: POSTS_TAB } : { continuation: cursor },
      );
      const isListed = cursor !== undefined || isTabOpen(result.response, tabNames);
      const page = isListed ? readLocalisedPage(result) : noTab;
      const subjects = channelSubjects(result.response);
      const posts = { contents: page.items, nextToken: token(page.continuation, subjects) };
      return {
        metadata: { channel: { posts } },
        subjects,
        parts: partsOfPosts(page.items, ['channel', 'posts', 'contents']),
        notes: page.messages,
        unread: page.unread,
      };
    },
  });

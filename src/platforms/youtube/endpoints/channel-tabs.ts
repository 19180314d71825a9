import Type from 'typebox';
import { langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { noSubjects, type Subjects } from '../../../contract/subjects.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { type ContentType, fetchChannelPage } from '../find/channel-page.ts';
import { fetchUploads, readUploadsPosition, tabCursor } from '../find/uploads-playlist.ts';
import { channelSubjects } from '../parse/channel-subjects.ts';
import { isTabOpen } from '../parse/channel-tabs.ts';
import type { ItemList } from '../parse/item-list.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { readLocalisedPage } from '../parse/localised-page.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readChannelId } from './link-parameters.ts';
import { channelIdParameter } from './parameters.ts';

/** Creates the endpoint for a channel's videos by type, newest first. */
export const channelVideos = tabEndpoint('/channel/videos', 'Videos, shorts or live streams of a channel', [
  'videos',
  'shorts',
  'livestreams',
]);

/** Creates the endpoint for a channel's playlists by type. */
export const channelPlaylists = tabEndpoint('/channel/playlists', 'Playlists, releases or podcasts of a channel', [
  'playlists',
  'releases',
  'podcasts',
]);

function tabEndpoint(path: string, summary: string, types: readonly ContentType[]): EndpointFactory {
  return (openInnertube) =>
    defineEndpoint({
      path,
      summary,
      parameters: Type.Object({
        channelId: channelIdParameter,
        contentType: Type.Enum([...types], {
          description: `Type of items to list: ${types.join(', ')}.`,
          examples: types.slice(0, 1),
        }),
        nextToken: Type.Optional(nextTokenParameter),
        lang: Type.Optional(langParameter),
      }),
      credits: 1,
      contents: false,
      returns: ['channel'],
      subjects: ({ channelId }) => ({ channels: namedIn(readChannelId, channelId) }),
      async extract(parameters, context) {
        const type = parameters.contentType;
        const channelId = readChannelId(parameters.channelId);
        const page = await fetchTab(openInnertube(parameters, context), channelId, type, context.pages);
        const { items, continuation, messages, unread, subjects = noSubjects } = page;
        const cursor = tabCursor(continuation, type, channelId, items);
        const list = { contents: items, nextToken: context.pages.token(cursor, subjects) };
        const parts = partsOfPosts(items, ['channel', type, 'contents']);
        return { metadata: { channel: { [type]: list } }, subjects, parts, notes: messages, unread };
      },
    });
}

/** A page of a tab. Only the first one states the channel. */
interface TabPage extends ItemList {
  readonly subjects?: Subjects;
}

/** Fetches a page of a tab. Returns an empty one with a message if the channel has no such tab. */
async function fetchTab(
  innertube: Innertube,
  channelId: string,
  type: ContentType,
  { cursor }: { readonly cursor?: string },
): Promise<TabPage> {
  const position = cursor === undefined ? undefined : readUploadsPosition(cursor);
  if (position !== undefined) return await fetchUploads(innertube, position);
  if (cursor !== undefined)
    return readLocalisedPage(await innertube.requestLocalised('browse', { continuation: cursor }));
  const page = await fetchChannelPage(innertube, channelId, type);
  const subjects = channelSubjects(page.response);
  if (isTabOpen(page.response, [type])) return { ...readLocalisedPage(page), subjects };
  return { items: [], messages: [`This channel has no ${type} tab.`], unread: {}, subjects };
}

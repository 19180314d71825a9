import type { ListCase } from './list-cases.ts';

const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
const videoId = 'dQw4w9WgXcQ';
const ids = ['aaaaaaaaaa1', 'aaaaaaaaaa2', 'aaaaaaaaaa3', 'aaaaaaaaaa4'];

const command = (token: string) => ({ continuationCommand: { token } });
const more = { continuationItemRenderer: { continuationEndpoint: command('T') } };
const append = (...continuationItems: readonly unknown[]) => ({ appendContinuationItemsAction: { continuationItems } });
const section = (...contents: readonly unknown[]) => ({ itemSectionRenderer: { contents } });
const title = (text: string) => ({ runs: [{ text }] });

const video = (id: string) => ({ videoRenderer: { videoId: id, title: title(id), navigationEndpoint: {} } });
const lockup = (id: string) => ({
  lockupViewModel: {
    contentId: id,
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    metadata: { lockupMetadataViewModel: { title: { content: id } } },
  },
});
const rich = (content: object) => ({ richItemRenderer: { content } });
const post = (id: string) => ({
  backstagePostThreadRenderer: {
    post: { backstagePostRenderer: { postId: id, contentText: title(id), backstageAttachment: video(videoId) } },
  },
});

const tab = (name: string, content?: object) => ({
  tabRenderer: {
    endpoint: { commandMetadata: { webCommandMetadata: { url: `/@a/${name}` } } },
    ...(content === undefined ? {} : { selected: true, content }),
  },
});
const channel = (...tabs: readonly unknown[]) => ({
  responseContext: { visitorData: 'V' },
  contents: { twoColumnBrowseResultsRenderer: { tabs } },
  metadata: { channelMetadataRenderer: { title: 'A', externalId: channelId } },
});

const comment = (id: string) => ({
  commentThreadRenderer: {
    commentViewModel: { commentViewModel: { commentId: id, commentKey: `key ${id}` } },
    replies: { commentRepliesRenderer: { contents: [more] } },
  },
});
const entity = (id: string) => ({
  entityKey: `key ${id}`,
  payload: { commentEntityPayload: { properties: { content: { content: id } }, toolbar: { replyCount: '2' } } },
});
const comments = {
  onResponseReceivedEndpoints: [append(...ids.map(comment), more)],
  frameworkUpdates: { entityBatchUpdate: { mutations: ids.map(entity) } },
};

const panelVideo = (id: string, index: number) => ({
  playlistPanelVideoRenderer: {
    videoId: id,
    title: title(id),
    navigationEndpoint: { watchEndpoint: { index, params: 'OAE=' } },
  },
});
const watchPage = (parts: object) => ({
  contents: {
    twoColumnWatchNextResults: {
      results: { results: { contents: [{ videoPrimaryInfoRenderer: { title: title('A') } }] } },
      ...parts,
    },
  },
});

const responses: readonly (Omit<ListCase, 'text'> & { readonly body: unknown })[] = [
  {
    name: 'a search',
    path: '/search',
    parameters: { query: 'a' },
    body: {
      estimatedResults: '9',
      contents: {
        twoColumnSearchResultsRenderer: {
          primaryContents: { sectionListRenderer: { contents: [section(...ids.map(video)), more] } },
        },
      },
    },
  },
  {
    name: 'a later page of a search',
    path: '/search',
    parameters: { query: 'a' },
    cursor: 'C',
    body: { estimatedResults: '9', onResponseReceivedCommands: [append(section(...ids.map(video)), more)] },
  },
  {
    name: "a channel's videos",
    path: '/channel/videos',
    parameters: { channelId, contentType: 'videos' },
    body: channel(
      tab('featured'),
      tab('videos', { richGridRenderer: { contents: [...ids.map((id) => rich(lockup(id))), more] } }),
    ),
  },
  {
    name: "a later page of a channel's videos",
    path: '/channel/videos',
    parameters: { channelId, contentType: 'videos' },
    cursor: 'C',
    body: { onResponseReceivedActions: [append(...ids.map((id) => rich(lockup(id))), more)] },
  },
  {
    name: "a channel's posts",
    path: '/channel/posts',
    parameters: { channelId },
    body: channel(
      tab('featured'),
      tab('posts', { sectionListRenderer: { contents: [section(...ids.map(post), more)] } }),
    ),
  },
  { name: 'a channel', path: '/channel/details', parameters: { channelId }, body: channel(tab('videos', {})) },
  {
    name: 'a playlist',
    path: '/playlist',
    parameters: { playlistId: 'PL1' },
    body: {
      ...channel({
        tabRenderer: {
          selected: true,
          content: { sectionListRenderer: { contents: [section(...ids.map(lockup), more)] } },
        },
      }),
      metadata: { playlistMetadataRenderer: { title: 'A' } },
    },
  },
  {
    name: 'a mix',
    path: '/playlist',
    parameters: { playlistId: 'RDMM' },
    body: watchPage({ playlist: { playlist: { contents: ids.map(panelVideo) } } }),
  },
  {
    name: 'a hashtag',
    path: '/hashtag',
    parameters: { tag: 'a' },
    body: channel(tab('a', { richGridRenderer: { contents: [...ids.map((id) => rich(video(id))), more] } })),
  },
  { name: 'comments', path: '/video/comments', parameters: { videoId }, body: comments },
  { name: 'later comments', path: '/video/comments', parameters: { videoId }, cursor: 'C', body: comments },
  {
    name: 'suggested videos',
    path: '/video/details',
    parameters: { videoId },
    body: watchPage({ secondaryResults: { secondaryResults: { results: [...ids.map(lockup), more] } } }),
  },
  {
    name: 'search suggestions',
    path: '/search/suggestions',
    parameters: { query: 'a' },
    body: ['a', ids.map((id) => [id, 0])],
  },
  {
    name: 'the channel of a handle',
    path: '/channel/id-from-handle',
    parameters: { handle: 'a' },
    body: { endpoint: { browseEndpoint: { browseId: channelId, canonicalBaseUrl: '/@a' } } },
  },
];

/** Made-up responses with lists, in the site's formats of 2026. */
export const madeListCases: readonly ListCase[] = responses.map(({ body, ...one }) => ({
  ...one,
  text: JSON.stringify(body),
}));

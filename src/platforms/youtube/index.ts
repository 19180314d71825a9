import type { Platform } from '../platform.ts';
import { type ClientSettings, defaultClients } from './clients.ts';
import { channelDetails } from './endpoints/channel-details.ts';
import { channelIdFromHandle } from './endpoints/channel-id-from-handle.ts';
import { channelPosts } from './endpoints/channel-posts.ts';
import { channelPlaylists, channelVideos } from './endpoints/channel-tabs.ts';
import { hashtag } from './endpoints/hashtag.ts';
import { playlist } from './endpoints/playlist.ts';
import { postComments } from './endpoints/post-comments.ts';
import { postDetails } from './endpoints/post-details.ts';
import { searches } from './endpoints/search.ts';
import { searchSuggestions } from './endpoints/search-suggestions.ts';
import { videoComments } from './endpoints/video-comments.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { createInnertube } from './innertube.ts';
import type { MakeEndpoint } from './make-endpoint.ts';

const videos: readonly MakeEndpoint[] = [videoDetails, videoComments];

const posts: readonly MakeEndpoint[] = [postDetails, postComments];

const playlists: readonly MakeEndpoint[] = [playlist];

const search: readonly MakeEndpoint[] = [...searches, searchSuggestions];

const channels: readonly MakeEndpoint[] = [
  channelDetails,
  channelVideos,
  channelPlaylists,
  channelPosts,
  channelIdFromHandle,
];

const hashtags: readonly MakeEndpoint[] = [hashtag];

/** YouTube: videos, posts, playlists, search, channels, hashtags. */
export function createYoutube(settings: ClientSettings = defaultClients): Platform {
  const openInnertube = createInnertube(settings);
  const endpoints = [...videos, ...posts, ...playlists, ...search, ...channels, ...hashtags];
  return {
    id: 'p1',
    title: 'YouTube',
    version: '3.0.0',
    endpoints: endpoints.map((make) => make(openInnertube)),
  };
}

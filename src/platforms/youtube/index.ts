import { channelNames } from '../channel-name.ts';
import { definePlatform } from '../define-platform.ts';
import type { Platform } from '../platform.ts';
import { channelDetails } from './endpoints/channel-details.ts';
import { channelIdFromHandle } from './endpoints/channel-id-from-handle.ts';
import { channelPosts } from './endpoints/channel-posts.ts';
import { channelPlaylists, channelVideos } from './endpoints/channel-tabs.ts';
import type { EndpointFactory } from './endpoints/endpoint-factory.ts';
import { hashtag } from './endpoints/hashtag.ts';
import { playlist } from './endpoints/playlist.ts';
import { postComments } from './endpoints/post-comments.ts';
import { postDetails } from './endpoints/post-details.ts';
import { searches } from './endpoints/search.ts';
import { searchSuggestions } from './endpoints/search-suggestions.ts';
import { videoComments } from './endpoints/video-comments.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { channelIdPattern, youtube as links } from './links.ts';
import { probes } from './probes.ts';
import { createInnertube } from './requests/innertube.ts';
import { defaultSite, type Site, siteSetting } from './site.ts';

const videos: readonly EndpointFactory[] = [videoDetails, videoComments];

const posts: readonly EndpointFactory[] = [postDetails, postComments];

const playlists: readonly EndpointFactory[] = [playlist];

const search: readonly EndpointFactory[] = [...searches, searchSuggestions];

const channels: readonly EndpointFactory[] = [
  channelDetails,
  channelVideos,
  channelPlaylists,
  channelPosts,
  channelIdFromHandle,
];

const hashtags: readonly EndpointFactory[] = [hashtag];

/** Creates the YouTube platform: videos, posts, playlists, search, channels and hashtags. */
export function createYoutube(site: Site = defaultSite): Platform {
  const openInnertube = createInnertube(site);
  const endpoints = [...videos, ...posts, ...playlists, ...search, ...channels, ...hashtags];
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    channelName: channelNames(channelIdPattern),
    endpoints: endpoints.map((make) => make(openInnertube, site)),
  };
}

/** The YouTube entry for the registry. */
export const youtube = definePlatform({
  links,
  publicAddress: 'https://www.youtube.com/robots.txt',
  probes,
  settings: { P1_CLIENTS: siteSetting },
  create: ({ P1_CLIENTS }) => createYoutube(P1_CLIENTS),
});

import type { Probe } from '../probe.ts';

const videoId = 'jNQXAC9IVRw';
const channelId = 'UCLA_DiR1FfKNvjuUpBHmylQ';
const query = 'nasa';
/** A post that is in the recordings (2026). */
const post = { postId: 'UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx', channelId: 'UC6Q8NDGqQ2eJ7QXX693ikdw' };

/**
 * Requests that tell whether each endpoint still reads the site: about its first video (2005) and about NASA, whose
 * channel exists since 2008.
 */
export const probes: readonly Probe[] = [
  {
    name: 'video',
    endpoint: '/video/details',
    parameters: { videoId, getTranscript: 'true' },
    expects: [
      'contents.0.videos',
      'metadata.title',
      'metadata.author.id',
      'metadata.additionalData.publishedAt',
      'metadata.additionalData.related',
      'metadata.additionalData.statistics.viewCount',
      'metadata.additionalData.statistics.likeCount',
      'metadata.additionalData.thumbnails',
    ],
    media: true,
  },
  {
    name: 'video-comments',
    endpoint: '/video/comments',
    parameters: { videoId },
    expects: [
      'metadata.comments.header.count',
      'metadata.comments.threads.0.id',
      'metadata.comments.threads.0.text',
      'metadata.comments.threads.0.author.id',
    ],
    pages: 'metadata.comments',
  },
  {
    name: 'playlist',
    endpoint: '/playlist',
    // The uploads of the channel, a playlist that every channel has.
    parameters: { playlistId: `UU${channelId.slice(2)}` },
    expects: [
      'metadata.playlist.info.title',
      'metadata.playlist.info.videoCount',
      'metadata.playlist.videos.0.id',
      'metadata.playlist.videos.0.title',
      'metadata.playlist.videos.0.duration',
    ],
    pages: 'metadata.playlist',
  },
  {
    name: 'mix',
    endpoint: '/playlist',
    parameters: { playlistId: 'RDdQw4w9WgXcQ' },
    expects: ['metadata.playlist.info.title', 'metadata.playlist.videos.0.id', 'metadata.playlist.videos.0.channel.id'],
    pages: 'metadata.playlist',
  },
  {
    name: 'search',
    endpoint: '/search',
    parameters: { query },
    expects: [
      'metadata.additionalData.searchResults.estimated_results',
      'metadata.additionalData.searchResults.results.0.id',
      'metadata.additionalData.searchResults.results.0.title',
    ],
    pages: 'metadata.additionalData.searchResults',
  },
  ...['video', 'channel', 'playlist', 'movie'].map((kind) => ({
    name: `search-${kind}`,
    endpoint: `/search/${kind}`,
    parameters: { query: kind === 'movie' ? 'adventure' : query },
    expects: [
      'metadata.additionalData.searchResults.results.0.id',
      'metadata.additionalData.searchResults.results.0.title',
    ],
    ...(kind === 'movie' ? {} : { pages: 'metadata.additionalData.searchResults' }),
  })),
  {
    name: 'search-suggestions',
    endpoint: '/search/suggestions',
    parameters: { query },
    expects: ['metadata.additionalData.searchSuggestions.0'],
  },
  {
    name: 'channel',
    endpoint: '/channel/details',
    parameters: { channelId },
    expects: [
      'metadata.title',
      'metadata.channel.handle',
      'metadata.channel.description',
      'metadata.channel.subscriberCount',
      'metadata.channel.videoCount',
      'metadata.channel.viewCount',
      'metadata.channel.joinedText',
      'metadata.channel.avatar',
      'metadata.channel.tabs',
    ],
  },
  ...['videos', 'shorts', 'livestreams', 'playlists'].map((contentType) => ({
    name: `channel-${contentType}`,
    endpoint: contentType === 'playlists' ? '/channel/playlists' : '/channel/videos',
    parameters: { channelId, contentType },
    expects: [
      `metadata.channel.${contentType}.contents.0.id`,
      `metadata.channel.${contentType}.contents.0.title`,
      `metadata.channel.${contentType}.contents.0.thumbnails`,
    ],
    pages: `metadata.channel.${contentType}`,
  })),
  {
    name: 'channel-posts',
    endpoint: '/channel/posts',
    parameters: { channelId },
    expects: [
      'metadata.channel.posts.contents.0.id',
      'metadata.channel.posts.contents.0.text',
      'metadata.channel.posts.contents.0.publishedText',
    ],
    pages: 'metadata.channel.posts',
  },
  {
    name: 'post',
    endpoint: '/post/details',
    parameters: post,
    expects: ['metadata.post.id', 'metadata.post.publishedText', 'metadata.post.channel.id', 'metadata.post.likeCount'],
  },
  {
    name: 'post-comments',
    endpoint: '/post/comments',
    parameters: post,
    expects: ['metadata.comments.threads.0.id', 'metadata.comments.threads.0.text'],
  },
  {
    name: 'handle',
    endpoint: '/channel/id-from-handle',
    parameters: { handle: '@NASA' },
    expects: ['metadata.channel.channelId', 'metadata.channel.handle'],
  },
  {
    name: 'hashtag',
    endpoint: '/hashtag',
    parameters: { tag: query },
    expects: ['metadata.hashtag.videoCount', 'metadata.hashtag.contents.0.id', 'metadata.hashtag.contents.0.title'],
    pages: 'metadata.hashtag',
  },
];

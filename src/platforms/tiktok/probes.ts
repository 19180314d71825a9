import type { Probe } from '../probe.ts';

/** Requests that tell whether each endpoint still reads the site. */
export const probes: readonly Probe[] = [
  {
    // The example in the site's documentation of oEmbed, posted in 2019.
    name: 'video',
    endpoint: '/post/details',
    parameters: { url: 'https://www.tiktok.com/@scout2015/video/6718335390845095173' },
    expects: [
      ...['metadata.title', 'metadata.thumbnailUrl', 'metadata.author.handle', 'metadata.author.followerCount'],
      ...['metadata.additionalData.statistics.viewCount', 'metadata.additionalData.hashtags'],
      ...['contents.0.videos', 'contents.0.audios', 'contents.0.images'],
    ],
    media: true,
  },
  {
    name: 'photos',
    endpoint: '/post/details',
    parameters: { url: 'https://www.tiktok.com/@chillezy/photo/7240568259186019630' },
    expects: ['metadata.author.handle', 'metadata.additionalData.imageCount', 'contents.0.images', 'contents.0.audios'],
    media: true,
  },
  {
    name: 'user',
    endpoint: '/user/details',
    parameters: { url: 'https://www.tiktok.com/@tiktok' },
    expects: [
      ...['metadata.title', 'metadata.thumbnailUrl', 'metadata.author.user.secUid'],
      ...['metadata.author.stats.videoCount', 'metadata.author.statsV2.followerCount'],
    ],
  },
];

import type { Probe } from '../probe.ts';

/**
 * Requests that tell whether each endpoint still reads the site. The videos belong to broadcasters and have existed
 * since 2017 and 2022; another open source program tests itself with them.
 */
export const probes: readonly Probe[] = [
  {
    name: 'video',
    endpoint: '/video/details',
    parameters: { videoId: 'x5kesuj' },
    expects: [
      'contents.0.videos',
      'contents.0.images',
      'metadata.title',
      'metadata.thumbnailUrl',
      'metadata.author.name',
      'metadata.additionalData.duration',
      'metadata.additionalData.createdAt',
    ],
    media: true,
  },
  {
    name: 'video-link',
    endpoint: '/video/details',
    parameters: { videoId: 'https://geo.dailymotion.com/player.html?video=x89eyek' },
    // The last two come from the legacy REST interface, and show when it is gone.
    expects: [
      'contents.0.videos',
      'metadata.title',
      'metadata.additionalData.tags',
      'metadata.additionalData.description',
      'metadata.additionalData.statistics.viewCount',
    ],
  },
];

import type { Probe } from '../probe.ts';

/**
 * Requests that tell whether each endpoint still reads the site. The pins have existed since 2021 or longer; other open
 * source programs test themselves with them. Probes with media run with every strategy, so they expect only what a
 * preview has.
 */
export const probes: readonly Probe[] = [
  {
    name: 'image',
    endpoint: '/pin/details',
    parameters: { pinId: '858146903966145189' },
    expects: ['contents.0.images', 'metadata.thumbnailUrl'],
    media: true,
  },
  {
    name: 'video-media',
    endpoint: '/pin/details',
    parameters: { pinId: '664281013778109217' },
    expects: ['contents.0', 'metadata.title'],
    media: true,
  },
  {
    name: 'video',
    endpoint: '/pin/details',
    parameters: { pinId: '664281013778109217' },
    expects: [
      'contents.0.videos',
      'contents.1.images',
      'metadata.title',
      'metadata.author.pinner.handle',
      'metadata.additionalData.createdAt',
      'metadata.additionalData.duration',
      'metadata.additionalData.board.name',
    ],
  },
  {
    name: 'story',
    endpoint: '/pin/details',
    parameters: { pinId: 'https://jp.pinterest.com/pin/858146904010573850/' },
    expects: ['contents.0.images', 'contents.1.images', 'contents.2.images', 'metadata.additionalData.pageCount'],
  },
];

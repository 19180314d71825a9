import type { Probe } from '../probe.ts';

const post = ['metadata.author.username', 'metadata.additionalData.id', 'metadata.thumbnailUrl', 'contents.0.images'];

/** Strategies that find posts other than reels. */
const allButReels = ['page', 'graphql', 'shortcode', 'embed'];

/** Requests that tell whether each endpoint still reads the site. */
export const probes: readonly Probe[] = [
  {
    // A reel of Google, 2023.
    name: 'reel',
    endpoint: '/media/post/details',
    parameters: { shortcode: 'CuE2WNQs6vH' },
    expects: [...post, 'metadata.title', 'metadata.additionalData.duration', 'contents.0.videos'],
    media: true,
  },
  {
    // The photo of an egg, one of the most liked posts, 2019.
    name: 'photo',
    endpoint: '/media/post/details',
    parameters: { shortcode: 'BsOGulcndj-' },
    expects: [...post, 'metadata.title'],
    media: true,
    strategies: allButReels,
  },
  {
    // Two photos of NASA, 2026.
    name: 'carousel',
    endpoint: '/media/post/details',
    parameters: { shortcode: 'Dc3zNGWlIpy' },
    expects: [...post, 'contents.1.images'],
    media: true,
    strategies: allButReels,
  },
  {
    // The song "Heat Waves". The site shows its reels to signed-in users only.
    name: 'audio',
    endpoint: '/media/audio/details',
    parameters: { audioId: '1053780911670375' },
    expects: ['metadata.additionalData.audio.title', 'metadata.additionalData.audio.artist'],
  },
  {
    name: 'profile',
    endpoint: '/user/profile/details',
    parameters: { username: 'nasa' },
    expects: ['metadata.author.userId', 'metadata.author.name', 'metadata.author.followerCount'],
  },
  {
    name: 'profile-id',
    endpoint: '/user/profile/id-from-username',
    parameters: { username: 'nasa' },
    expects: ['metadata.author.userId'],
  },
];

import type { Probe } from '../probe.ts';
import { SITE } from './links.ts';

const nasa = `${SITE}/NASA`;

/** Requests that tell whether each endpoint still reads the site. */
export const probes: readonly Probe[] = [
  {
    name: 'reel',
    endpoint: '/post/details',
    parameters: { url: `${SITE}/reel/1380134307388381` },
    expects: [
      'metadata.title',
      'metadata.thumbnailUrl',
      'metadata.author.name',
      'metadata.author.id',
      'metadata.additionalData.publishedAt',
      'metadata.additionalData.reactionCount',
      'metadata.additionalData.duration',
      'contents.0.videos.0.url',
      'contents.0.audios.0.url',
    ],
    media: true,
  },
  {
    // A video of 2017, from before the site had reels.
    name: 'video',
    endpoint: '/post/details',
    parameters: { url: `${SITE}/cnn/videos/10155529876156509/` },
    expects: ['metadata.title', 'metadata.author.name', 'contents.0.videos.0.url'],
  },
  {
    name: 'post',
    endpoint: '/post/details',
    parameters: { url: `${nasa}/posts/1587860636042640` },
    expects: [
      'metadata.title',
      'metadata.author.name',
      'metadata.additionalData.postId',
      'metadata.additionalData.reactionCount',
      'metadata.comments.threads.0.text',
      'contents.0.images.0.url',
    ],
  },
  {
    name: 'photo',
    endpoint: '/post/details',
    parameters: { url: `${SITE}/photo/?fbid=1587860609375976` },
    expects: ['metadata.title', 'metadata.author.name', 'contents.0.images.0.url'],
  },
  {
    name: 'profile',
    endpoint: '/profile/details',
    parameters: { url: nasa },
    expects: [
      'metadata.title',
      'metadata.thumbnailUrl',
      'metadata.author.profileId',
      'metadata.author.description',
      'metadata.author.followerCount',
      'metadata.author.likeCount',
      'metadata.author.category',
    ],
  },
  {
    name: 'profile-id',
    endpoint: '/profile/id',
    parameters: { url: nasa },
    expects: ['metadata.author.profileId', 'metadata.author.pageId', 'metadata.author.handle'],
  },
  {
    name: 'profile-about',
    endpoint: '/profile/about',
    parameters: { url: nasa },
    expects: ['metadata.author.about.sections.0.fields.0.text', 'metadata.author.about.websites'],
  },
  {
    name: 'profile-reels',
    endpoint: '/profile/reels',
    parameters: { url: nasa },
    expects: ['metadata.author.reels.contents.0.id', 'metadata.author.reels.contents.0.title'],
    pages: 'metadata.author.reels',
  },
  {
    name: 'profile-photos',
    endpoint: '/profile/photos',
    parameters: { url: nasa },
    expects: ['metadata.author.photos.contents.0.id', 'metadata.author.photos.contents.0.thumbnails.0.url'],
    pages: 'metadata.author.photos',
  },
];

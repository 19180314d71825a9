import { expect, test } from 'vitest';
import { plans } from '../../contract/subscription-plans.ts';
import type { ContentMedia } from '../../platforms/platform.ts';
import { createContentRenders } from './content-renders.ts';

const item = (kind: 'image' | 'video') => {
  const [mimeType, ext] = kind === 'image' ? ['image/jpeg', 'jpg'] : ['video/mp4', 'mp4'];
  const metadata = { mime_type: mimeType, width: 640, height: 360, has_audio: kind === 'video' };
  return { item: { label: '360p', url: `https://cdn.example/a.${ext}`, repId: kind, metadata } };
};
const image: ContentMedia = { images: [item('image')] };
const video: ContentMedia = { videos: [item('video')], images: [item('image')] };

function notesOf(contents: readonly ContentMedia[], formats: readonly string[]) {
  const options = {
    formats,
    audioFormats: [],
    audioLanguages: [],
    subtitleLanguages: [],
    embed: new Set<'metadata'>(),
  };
  const rules = { matches: () => false, audio: false };
  return createContentRenders(
    { contents, isSingle: false, metadata: {}, captions: [], sound: undefined },
    options,
    plans.MEGA,
    rules,
  ).notes;
}

test('a slideshow of a post with videos has a note about them', () => {
  expect(notesOf([image, video, video], ['slideshow'])).toEqual([
    'The slideshow has only the images of the post: 2 videos are left out.',
  ]);
  expect(notesOf([image, image], ['slideshow'])).toEqual([]);
  expect(notesOf([image, video], ['highres'])).toEqual([]);
});

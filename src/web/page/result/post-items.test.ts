import { expect, test } from 'vitest';
import type { MediaItem } from '#client/index.ts';
import { fileName, photosOf, postItemsOf } from './post-items.ts';

Object.assign(globalThis, { location: { href: 'https://page.example/' } });

const item = (name: string, width: number, has_audio = false): MediaItem => ({
  label: name,
  url: `https://page.example/relay/x/${name}`,
  repId: name,
  metadata: { mime_type: 'x/y', width, height: width, has_audio },
});

test('images are displayed in a suitable size and saved in the largest; videos with audio are preferred', () => {
  const images = [item('large.jpg', 1_920), item('middle.jpg', 640), item('small.jpg', 320)];
  const items = postItemsOf([
    { images },
    { videos: [item('silent.mp4', 1_080), item('whole.mp4', 720, true)], images },
    { videos: [item('only.mp4', 720)] },
  ]);
  expect(items.map(({ kind, previewUrl, file }) => [kind, previewUrl?.split('/').at(-1), file?.label])).toEqual([
    ['picture', 'middle.jpg', 'large.jpg'],
    ['video', 'middle.jpg', 'whole.mp4'],
    ['video', undefined, 'only.mp4'],
  ]);
  expect(items.map(fileName)).toEqual(['01 picture.jpg', '02 video.mp4', '03 video.mp4']);
});

test('the photos of a TikTok post are separate items; other images are sizes of one', () => {
  const images = [item('one.jpg', 1_280), item('two.jpg', 848)];
  const [image = item('one.jpg', 1_280)] = images;
  const audios = [item('song.mp3', 0, true)];
  expect(photosOf('p4', { images, audios })).toEqual(images.map((photo) => ({ images: [photo] })));
  expect(photosOf('p4', { images: [image], audios })).toEqual([{ images: [image] }]);
  expect(photosOf('p4', { images: [image] })).toEqual([]);
  expect(photosOf('p4', { images, videos: [item('video.mp4', 720)] })).toEqual([]);
  expect(photosOf('p2', { images })).toEqual([]);
});

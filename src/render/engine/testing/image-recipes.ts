import type { EncoderChoice } from '../formats/encoder-choice.ts';
import type { Recipe } from './make-file.ts';
import type { ImageName } from './media-names.ts';

const still = { muxer: 'image2', muxerOptions: { update: '1' } };
const jpeg: readonly EncoderChoice[] = [{ name: 'mjpeg', options: {} }];
const png: readonly EncoderChoice[] = [{ name: 'png', options: {} }];
const oneFrame = { videoSeconds: 0.04 };
const wide = { size: [320, 180] } as const;
const tall = { size: [180, 320] } as const;

/** Images of a slideshow. */
export const imageRecipes: Record<ImageName, Recipe> = {
  'wide.jpg': { container: still, video: jpeg, pixels: 'yuvj420p', ...wide, ...oneFrame },
  'huge.jpg': { container: still, video: jpeg, pixels: 'yuvj420p', size: [2400, 1350], ...oneFrame },
  'tall.png': { container: still, video: png, pixels: 'rgb24', ...tall, ...oneFrame },
  'odd.png': { container: still, video: png, pixels: 'rgba', size: [151, 97], ...oneFrame },
  'wide.webp': { container: still, video: [{ name: 'libwebp', options: {} }], ...wide, ...oneFrame },
  'moving.webp': {
    container: { muxer: 'webp', muxerOptions: {} },
    video: [{ name: 'libwebp_anim', options: {} }],
    ...wide,
    videoSeconds: 0.4,
  },
  'moving.gif': {
    container: { muxer: 'gif', muxerOptions: {} },
    video: [{ name: 'gif', options: {} }],
    pixels: 'rgb8',
    ...wide,
    videoSeconds: 0.4,
  },
  'wide.avif': {
    container: { muxer: 'avif', muxerOptions: {} },
    video: [{ name: 'libsvtav1', options: { preset: '12' } }],
    ...wide,
    ...oneFrame,
  },
};

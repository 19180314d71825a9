import { describe, expect, it } from 'vitest';
import { finishFile } from './finish-file.ts';
import { defaultRenderOptions } from './render-options.ts';
import type { RenderableFile } from './selected-renderable.ts';

const facts = { mime_type: 'video/mp4', width: 1280, height: 720, has_audio: true };
/** A video that is stored unchanged. */
const video: RenderableFile = {
  label: '720p',
  metadata: { ...facts, content_length: 2_000_000, content_length_text: '2 MB' },
  job: {
    inputs: [{ url: 'https://cdn.example/video.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'no_process' },
  },
};
const tags = { metadata: { title: 'Ducks' } };

describe('the size in the metadata of a file', () => {
  it('stays that of the streams if a copy gets tags', () => {
    expect(finishFile(video, defaultRenderOptions, tags)).toMatchObject({
      metadata: { content_length: 2_000_000 },
      job: { operation: { type: 'convert_format' }, output: tags },
    });
  });

  it.each([
    ['a clip', { clip: { start: 1, end: 2 } }],
    ['a file that is encoded to a size', { maxSize: 1_000_000 }],
  ])('is unknown for %s', (_what, options) => {
    expect(finishFile(video, { ...defaultRenderOptions, ...options }, tags)).toHaveProperty('metadata', facts);
  });

  it('stays if a maximum size above it needs no encoding', () => {
    const file = finishFile(video, { ...defaultRenderOptions, maxSize: 4_000_000 }, {});
    expect(file).toEqual(video);
  });
});

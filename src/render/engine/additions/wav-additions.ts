import { appendChunk } from '../tags/append-chunk.ts';
import { id3Tag } from '../tags/id3-tag.ts';
import { tagFrames } from '../tags/id3-tags.ts';
import type { AdditionWriter } from './addition-writer.ts';

/**
 * Lets the muxer write the tags that have an item in WAV's own list, which many programs read, and appends all of them
 * as an ID3 tag.
 */
export const wavAdditions: AdditionWriter = {
  metadata: ({ tags: { url: _, ...tags } }) => tags,
  write(path, { tags }) {
    appendChunk(path, 'id3 ', id3Tag(tagFrames(tags, undefined)));
    return 0;
  },
};

import { describe, expect, it } from 'vitest';
import { extractRecorded, findRecording } from '../testing/extract-recorded.ts';
import { recordings } from '../testing/recordings.ts';

describe.skipIf(recordings().length === 0)('recorded hashtags', () => {
  it.each([
    ['page1', 'gCYcHz2k5x0'],
    ['page2', '7xpja4fejbk'],
  ])('yield %s', async (page, id) => {
    const { metadata, notes } = await extractRecorded('/hashtag', { tag: '#x' }, findRecording('hashtag', page), 'C');
    const contents = metadata.hashtag?.contents as readonly { id: string; channel: unknown; viewCount: number }[];
    expect(contents).toHaveLength(60);
    expect(contents[0]?.id).toBe(id);
    expect(contents.every(({ viewCount, channel }) => viewCount > 0 && channel !== undefined)).toBe(true);
    expect(metadata.hashtag?.nextToken).toMatch(/^4qmFsg/);
    expect(notes).toEqual([]);
  });
});

import { describe, expect, inject, test } from 'vitest';
import { everyPage, idsOf, itemsOf, listOf, openP1 } from '../support/p1-client.ts';

const ask = openP1(inject('serviceUrl'));

describe('/hashtag', () => {
  test.each(['lab', 'labold'])('lists %s with its counts in pages of sixty, to the end', async (tag) => {
    const { status, body } = await ask('/hashtag', { tag });
    expect([status, body.error]).toEqual([200, null]);
    expect(body.metadata.hashtag).toMatchObject({
      tag,
      videoCount: 1_100_000,
      videoCountText: '1.1M videos',
      channelCount: 8100,
      channelCountText: '8.1K channels',
    });
    const pages = await everyPage(ask, '/hashtag', { tag });
    expect(pages.map(({ items }) => items.length)).toEqual([60, 60, 30]);
    const listed = itemsOf(pages);
    expect(new Set(idsOf(listed)).size).toBe(150);
    for (const item of listed) {
      expect(item).toMatchObject({
        type: 'video',
        channel: { id: expect.stringMatching(/^UC/), name: expect.any(String) },
        viewCount: expect.any(Number),
        viewCountText: expect.any(String),
        duration: expect.any(Number),
      });
    }
  });

  test.each(['LAB', '#lab', 'Lab', '%23lab'])('treats %s as lab', async (tag) => {
    const [tagged, plain] = await Promise.all([ask('/hashtag', { tag }), ask('/hashtag', { tag: 'lab' })]);
    expect(tagged.body.metadata.hashtag?.tag).toBe('lab');
    expect(idsOf(listOf(tagged.body).items)).toEqual(idsOf(listOf(plain.body).items));
  });

  test.each(['日本', 'ελλάδα', 'שלום', '🎉', 'été'])('accepts the tag %s', async (tag) => {
    const { status, body } = await ask('/hashtag', { tag });
    expect([status, body.error, body.metadata.hashtag?.tag]).toEqual([200, null, tag]);
  });

  test('returns an empty list with a note for an unused tag', async () => {
    const { body } = await ask('/hashtag', { tag: 'labnothing' });
    expect([body.error, listOf(body)]).toEqual([null, { items: [], nextToken: null }]);
    expect(body.notes).toContain('No results found');
  });
});

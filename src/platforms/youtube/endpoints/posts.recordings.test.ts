import { describe, expect, it } from 'vitest';
import { dig } from '../../../parsing/values.ts';
import { readPage } from '../parse/item-list.ts';
import type { PostItem } from '../parse/items/list-item.ts';
import { postParams } from '../requests/post-params.ts';
import { recording, recordings, recordingsOf } from '../testing/recordings.ts';
import { queryOracle } from '../testing/youtubei-oracle.ts';

const posts = (name: string): readonly PostItem[] =>
  readPage(recording(name).body).items.flatMap((item) => (item.type === 'post' ? [item] : []));

const shelf = 'channel/pr0318__channeltab_features_2.json.gz';
const thread = 'posts/filtertube__backstagePostThread_fragment.json.gz';

/** Returns a fragment as a page, at a position where both parsers find posts. */
const asPage = (name: string) => {
  const { body } = recording(name);
  return { contents: { richGridRenderer: { contents: dig(body, 'response', 'contents') ?? [body] } } };
};

describe.skipIf(recordings().length === 0)('recorded posts', () => {
  it('are read from each file', () => {
    const counts = recordingsOf('posts').map(({ name }) => {
      const { items, unread } = readPage(asPage(name));
      expect(unread, name).toEqual({});
      expect(items.map(({ id }) => id).toSorted(), name).toEqual(queryOracle(asPage(name)).ids.toSorted());
      return [name, items.length];
    });
    expect(counts).toEqual([
      [thread, 1],
      ['posts/filtertube__postRenderer_fragment.json.gz', 2],
    ]);
    expect(posts(shelf)).toHaveLength(12);
  });

  it('contain author, text, image and exact counts', () => {
    const [post] = readPage(asPage(thread)).items;
    expect(post).toMatchObject({
      type: 'post',
      id: 'UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx',
      channel: { id: 'UC6Q8NDGqQ2eJ7QXX693ikdw', name: 'dr Jonas Birch', handle: '@dr-Jonas-Birch' },
      text: expect.stringMatching(/^Watch for free\n\nDid you know/),
      runs: [{ text: expect.stringMatching(/JB$/) }],
      publishedText: '1 month ago',
      likeCount: 562,
      likeCountText: '562',
      commentCount: 37,
      images: [
        {
          url: expect.stringMatching(/^https:\/\/yt3\.ggpht\.com\/Tu0IlYbEvLUj-\S+FnAgWA=s0$/),
          thumbnails: [{ width: 1600, height: 900 }],
        },
      ],
      url: 'https://www.youtube.com/post/UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx',
    });
    expect(post).not.toHaveProperty('edited');
    const [first, , , editedPost] = posts(shelf);
    expect(first).toMatchObject({
      likeCount: 88_144,
      likeCountText: '88k',
      commentCount: 1300,
      commentCountText: '1.3k',
      images: [{ url: expect.stringMatching(/7dFu6LKOuQ=s0$/), thumbnails: { length: 7 } }],
    });
    expect(editedPost).toMatchObject({ likeCount: 16_691, edited: true, publishedText: '2 months ago (edited)' });
    expect(posts(shelf).filter(({ images }) => images !== undefined)).toHaveLength(11);
    const [bare] = readPage(asPage('posts/filtertube__postRenderer_fragment.json.gz')).items;
    expect(bare).toMatchObject({ id: 'UgkxbkKMP-U6ZR_IUiFqrBDUhWEdFIk37hEi', publishedText: '10 hours ago' });
  });

  it('are requested as the site requests them', () => {
    const postLinks = [shelf, thread].flatMap((name) => [
      ...JSON.stringify(recording(name).body).matchAll(/"params":"(wgNa[^"]+)","canonicalBaseUrl":"\/post\/([^"]+)"/g),
    ]);
    expect(postLinks.length).toBeGreaterThan(12);
    for (const [, params = '', postId = ''] of postLinks) {
      const channelId = Buffer.from(params, 'base64url').toString('latin1').slice(5, 29);
      expect(postParams(channelId, postId)).toBe(params);
    }
  });
});

import { expect, it } from 'vitest';
import { subjectsOfMetadata } from './result-subjects.ts';

it('a result belongs to its item, its authors and its channel, and not to those in a list', () => {
  const listed = { id: 'v2', channel: { id: 'UC2' } };
  const metadata = {
    author: { id: 'UC1', handle: '@Me', name: 'x', pinner: { id: '7', handle: 'saver' } },
    channel: { channelId: 'UC9', videos: { contents: [listed] } },
    additionalData: { id: 'v1', shortcode: 's1', postId: '5', related: [listed], coauthors: [{ username: 'co' }] },
    playlist: { info: { id: 'PL1', author: { id: 'UC3' } }, videos: [listed] },
    post: { id: 'Ug1', channel: { id: 'UC4' } },
  };
  expect(subjectsOfMetadata(metadata)).toEqual({
    items: ['v1', 's1', '5', 'PL1', 'Ug1'],
    channels: ['UC1', '@Me', '7', '@saver', 'UC9', 'UC3', 'UC4', '@co'],
  });
  expect(subjectsOfMetadata({ author: 'no object', additionalData: { id: 7 } } as object)).toEqual({
    items: [],
    channels: [],
  });
});

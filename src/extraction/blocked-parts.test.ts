import { describe, expect, it } from 'vitest';
import { createBlockIndex } from '../blocks/block-index.ts';
import { blockOf } from '../blocks/testing/test-blocks.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { noSubjectReader, noSubjects } from '../contract/subjects.ts';
import type { Endpoint, Platform } from '../platforms/platform.ts';
import { blockedPartsNotes, findBlockedParts, noBlockedParts } from './blocked-parts.ts';
import type { ExtractionRequest } from './request/read-request.ts';
import { createItemOrigins } from './response/item-origins.ts';
import type { SourceExtraction } from './source/extract.ts';

const platform: Platform = {
  ...{ id: 'p9', title: 'Test', version: '1', endpoints: [] },
  channelName: (name) => name,
};

const media = (url: string): SourceMedia => ({
  item: { label: url, url, repId: url, metadata: { mime_type: 'image/jpeg', width: 1, height: 1, has_audio: false } },
});

/** An album of three photos of different people, a list of posts, one of which shares another, and a sound. */
const album: SourceExtraction = {
  exit: 'direct',
  metadata: {
    title: 'An album',
    thumbnailUrl: 'b.jpg',
    author: { id: 'owner' },
    additionalData: { photos: [{ id: 'a' }, { id: 'b' }], posts: [{ id: 'x', sharedPost: { id: 'y' } }, { id: 'z' }] },
  },
  contents: [
    { images: [media('a.jpg')], subjects: { items: ['a'] }, details: [['additionalData', 'photos', 0]] },
    {
      images: [media('b.jpg')],
      subjects: { items: ['b'], channels: ['@bea'] },
      details: [['additionalData', 'photos', 1]],
    },
    { images: [media('c.jpg')], subjects: { items: ['c'] } },
  ],
  parts: [
    { path: ['additionalData', 'posts', 0], subjects: { items: ['x'], channels: ['@xena'] } },
    { path: ['additionalData', 'posts', 0, 'sharedPost'], subjects: { items: ['y'], channels: ['@xena'] } },
    { path: ['additionalData', 'posts', 1], subjects: { items: ['z'] } },
  ],
  sound: { ...media('s.m4a'), subjects: { items: ['s'] } },
};

/** Returns the parts that are blocked with these items or, with an at sign, channels. */
function blockedWith(names: readonly string[], extraction = album) {
  const kindOf = (name: string) => (name.startsWith('@') || name === 'owner' ? 'channel' : 'item');
  const blocks = names.map((value) => blockOf({ kind: kindOf(value), platform: 'p9', value }));
  return findBlockedParts(platform, extraction, createBlockIndex(blocks, noSubjectReader));
}

const posts = ['additionalData', 'posts'];

describe('the blocked parts of a result', () => {
  it.each([
    [['unrelated'], noBlockedParts],
    [['a'], { contents: [0], metadata: [['additionalData', 'photos', 0]], count: 1 }],
    [['@bea'], { contents: [1], metadata: [['additionalData', 'photos', 1], ['thumbnailUrl']], count: 1 }],
    [['c', 'z'], { contents: [2], metadata: [[...posts, 1]], count: 2 }],
    [['y'], { metadata: [[...posts, 0, 'sharedPost']], count: 1 }],
    [
      ['@xena'],
      {
        metadata: [
          [...posts, 0],
          [...posts, 0, 'sharedPost'],
        ],
        count: 1,
      },
    ],
    [['s'], { sound: true, count: 0 }],
  ])('with a block of %j', (names, expected) => {
    const { contents = [], metadata = [], sound = false, count } = expected as Partial<typeof noBlockedParts>;
    expect(blockedWith(names)).toEqual({ contents: new Set(contents), metadata, sound, count });
  });

  it.each([[['owner']], [['a', '@bea', 'c']]])('are the whole result with a block of %j', (names) => {
    expect(() => blockedWith(names)).toThrow(expect.objectContaining({ code: 'blocked', status: 451 }));
  });

  it('are never the whole result if it has no contents', () => {
    expect(blockedWith(['x', 'z'], { ...album, contents: [] }).count).toBe(2);
  });

  it('have a note', () => {
    expect(blockedPartsNotes(noBlockedParts)).toEqual([]);
    expect(blockedPartsNotes(blockedWith(['a']))).toEqual([
      'Omitted 1 item that the operator of this service has blocked.',
    ]);
    expect(blockedPartsNotes(blockedWith(['a', 'z']))).toEqual([
      'Omitted 2 items that the operator of this service has blocked.',
    ]);
  });
});

it('a file belongs to what all of its inputs belong to', () => {
  const endpoint = { path: '/post/details', subjects: () => noSubjects } as unknown as Endpoint;
  const query = { endpoint, parameters: {}, item: {}, pages: {} };
  const request = { platform, endpoint, query } as unknown as ExtractionRequest;
  const origins = createItemOrigins(album, request);
  const content = origins.ofContent(2);
  expect(content).toMatchObject({ content: 2, contentCount: 3, subjects: ['p9/channel/owner', 'p9/item/c'] });
  const inputs = [{ url: 'c.jpg' }, { url: 'b.jpg' }, { url: 's.m4a' }, { url: 'other' }];
  expect(origins.ofFile(content, inputs).subjects).toEqual([
    ...['p9/channel/owner', 'p9/item/c'],
    ...['p9/item/b', 'p9/channel/@bea', 'p9/item/s'],
  ]);
});

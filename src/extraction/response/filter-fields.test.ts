import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExtractionResult } from '../../contract/envelope.ts';
import { responseParts } from '../../contract/parameters.ts';
import { requestedParts } from '../request/requested-parts.ts';
import { filterFields } from './filter-fields.ts';

const item = { label: '720p', url: 'https://a.example/', repId: '1', metadata: { mime_type: 'video/mp4' } };
const answer = {
  error: null,
  contents: [
    { videos: [item], audios: [item], renderableVideos: [{ label: '720p', error: 'no' }] },
    { images: [item] },
  ],
  metadata: { title: 't', thumbnailUrl: 'u', author: { id: 'a' }, transcript: { languages: ['en'] }, channel: {} },
  notes: ['n'],
} as unknown as ExtractionResult;

/**
 * Returns the paths of the parts that remain of the response above. For `contents`, these are `contents` itself and the
 * names of the lists in its entries.
 */
function remainingParts(...fields: string[]): string[] {
  const { error, notes, contents, metadata } = filterFields(answer, requestedParts(fields));
  expect({ error, notes }).toEqual({ error: null, notes: ['n'] });
  return [
    ...(contents === undefined ? [] : ['contents', ...contents.flatMap((content) => Object.keys(content))]),
    ...Object.keys(metadata),
  ];
}

const allContents = ['contents', 'videos', 'audios', 'renderableVideos', 'images'];
const allMetadata = ['title', 'thumbnailUrl', 'author', 'transcript', 'channel'];

test.each<[string, string[], string[]]>([
  ['everything by default', [], [...allContents, ...allMetadata]],
  ['only a listed part', ['contents'], allContents],
  ['a listed part with its children', ['metadata'], allMetadata],
  ['a listed child: its parent with only that child', ['contents.videos'], ['contents', 'videos']],
  ['a part of the metadata, with title and thumbnailUrl', ['metadata.author'], ['title', 'thumbnailUrl', 'author']],
  [
    'several parts',
    ['contents.images', 'metadata.channel'],
    ['contents', 'images', 'title', 'thumbnailUrl', 'channel'],
  ],
  ['a parent and its child: the whole parent', ['contents', 'contents.videos'], allContents],
  ['all but a part', ['-contents'], allMetadata],
  ['all but the metadata', ['-metadata'], allContents],
  ['all but a child', ['-metadata.author'], [...allContents, 'title', 'thumbnailUrl', 'transcript', 'channel']],
  ['a listed part less a child', ['metadata', '-metadata.channel'], ['title', 'thumbnailUrl', 'author', 'transcript']],
  ['a listed child less its parent: nothing', ['contents.videos', '-contents'], []],
  ['what is both listed and taken away', ['contents.videos', '-contents.videos'], ['contents']],
  ['a part that is not there', ['metadata.hashtag'], ['title', 'thumbnailUrl']],
])('filterFields returns the requested parts: %s', (_name, fields, expected) =>
  expect(remainingParts(...fields)).toEqual(expected),
);

test('filterFields keeps the position of each entry of contents', () => {
  expect(filterFields(answer, requestedParts(['contents.images'])).contents).toEqual([{}, { images: [item] }]);
});

test('filterFields replaces removed metadata with an empty object and omits removed contents', () => {
  const contentsOnly = filterFields(answer, requestedParts(['contents']));
  expect(contentsOnly.metadata).toEqual({});
  expect(filterFields(answer, requestedParts(['metadata']))).not.toHaveProperty('contents');
});

test('filterFields does not change its input', () => {
  const before = structuredClone(answer);
  filterFields(answer, requestedParts(['metadata.author', '-contents']));
  expect(answer).toEqual(before);
});

const fieldLists = fc.subarray([...responseParts, ...responseParts.map((name) => `-${name}`)]);

test('requestedParts never selects a removed part, a child without its parent, or a part that is not covered by the list', () => {
  fc.assert(
    fc.property(fieldLists, fc.constantFrom(...responseParts), (fields, part) => {
      const isRequested = requestedParts(fields);
      const parent = responseParts.find((name) => name === part.split('.')[0]) ?? part;
      if (fields.includes(`-${part}`) || fields.includes(`-${parent}`)) expect(isRequested(part)).toBe(false);
      if (isRequested(part)) expect(isRequested(parent)).toBe(true);
      const blacklist = fields.every((field) => field.startsWith('-'));
      const isListed = fields.some((field) => field === part || field === parent || field.startsWith(`${part}.`));
      if (!blacklist && !isListed) expect(isRequested(part)).toBe(false);
      if (blacklist && !fields.includes(`-${part}`) && !fields.includes(`-${parent}`))
        expect(isRequested(part)).toBe(true);
    }),
    { seed: 4 },
  );
});

test('the order of fields does not matter, and filtering is idempotent', () => {
  fc.assert(
    fc.property(fieldLists, (fields) => {
      const once = filterFields(answer, requestedParts(fields));
      expect(filterFields(answer, requestedParts(fields.toReversed()))).toEqual(once);
      expect(filterFields(once, requestedParts(fields))).toEqual(once);
    }),
    { seed: 5 },
  );
});

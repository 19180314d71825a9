import { describe, expect, test } from 'vitest';
import { noSubjects } from '../contract/subjects.ts';
import type { Extraction } from './platform.ts';
import { listPageAt, missingFields } from './probe-fields.ts';

const item = { label: '720p', url: 'https://cdn.example/v', repId: '1', metadata: videoMetadata() };
const extraction: Extraction = {
  contents: [
    { videos: [{ item }], subjects: noSubjects },
    { unrenderable: 'It is live.', subjects: noSubjects },
  ],
  metadata: {
    title: 'A title',
    additionalData: { empty: '', none: null, zero: 0, no: false, list: [], object: {} },
    playlist: { info: { id: 'PL' }, videos: [{ type: 'video', id: 'a' }], nextToken: 'next' },
  },
};

function videoMetadata() {
  return { mime_type: 'video/mp4', width: 1280, height: 720, has_audio: true };
}

describe('missingFields', () => {
  test.each(['metadata.title', 'contents.0.videos', 'contents.0.videos.0.label', 'metadata.playlist.videos.0.id'])(
    'finds a value at %s',
    (path) => expect(missingFields(extraction, [path])).toEqual([]),
  );

  test('counts zero and false as values', () => {
    expect(missingFields(extraction, ['metadata.additionalData.zero', 'metadata.additionalData.no'])).toEqual([]);
  });

  test.each([
    'metadata.author.name',
    'metadata.title.length',
    'metadata.constructor',
    'metadata.additionalData.empty',
    'metadata.additionalData.none',
    'metadata.additionalData.list',
    'metadata.additionalData.object',
    'contents.0.audios',
    'contents.1',
    'contents.2',
  ])('reports that %s has no value', (path) => {
    expect(missingFields(extraction, ['metadata.title', path])).toEqual([path]);
  });
});

describe('listPageAt', () => {
  test('returns the token and the entries of a list', () => {
    expect(listPageAt(extraction, 'metadata.playlist')).toEqual({
      nextToken: 'next',
      entries: ['{"type":"video","id":"a"}'],
    });
  });

  test('returns undefined for anything but a list with pages', () => {
    for (const path of ['metadata.playlist.info', 'metadata.title', 'metadata.hashtag'])
      expect(listPageAt(extraction, path)).toBeUndefined();
  });
});

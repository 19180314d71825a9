import { expect, it } from 'vitest';
import { digestOf, digestTags } from '../tags/tags.ts';
import { compareAdditions } from './compare-additions.ts';

const file = { streams: [], duration: 1, bytes: 1, chapters: 0 };
const report = { ...file, notes: [], tags: digestTags({ album_artist: 'a' }), cover: digestOf('cover') };

it('accepts the tags and the cover of the job, and any others', () => {
  expect(compareAdditions({ ...file, notes: [] }, { ...file, tags: digestTags({ title: 'b' }) })).toBeUndefined();
  const probe = { ...file, tags: digestTags({ title: 'b', album_artist: 'a' }), cover: digestOf('cover') };
  expect(compareAdditions(report, probe)).toBeUndefined();
});

it('reports a lost or changed tag, and a lost or changed cover', () => {
  const lost = 'its album artist tag is missing or changed';
  expect(compareAdditions(report, file)).toBe(lost);
  expect(compareAdditions(report, { ...file, tags: digestTags({ album_artist: 'b' }) })).toBe(lost);
  const { tags } = report;
  expect(compareAdditions(report, { ...file, tags })).toBe('its cover image is missing or changed');
  expect(compareAdditions(report, { ...file, tags, cover: digestOf('x') })).toBe(
    'its cover image is missing or changed',
  );
});

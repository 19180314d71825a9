import { expect, it } from 'vitest';
import { namesIn, renamed, someNames } from './renamed-members.ts';

const json = '{"items":[{"__typename":"Story","id":"items"}]}';
const playlist = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5,NAME="720"\na.m3u8';

it('finds the names of members, types, tags and attributes', () => {
  expect(namesIn(json)).toEqual(['items', '__typename', 'Story', 'id']);
  expect(namesIn(playlist)).toEqual(['EXT-X-STREAM-INF', 'BANDWIDTH', 'NAME']);
});

it('renames them, and nothing else', () => {
  expect(renamed(json, new Set(['items', 'Story']))).toBe('{"itemsNew":[{"__typename":"StoryNew","id":"items"}]}');
  expect(renamed(playlist, new Set(['NAME']))).toBe(playlist.replace('NAME', 'NAMENew'));
});

it('chooses the same names for the same seed', () => {
  expect(someNames(json, 0.5, 3)).toEqual(someNames(json, 0.5, 3));
  expect(someNames(json, 1, 3).size).toBe(4);
  expect(someNames(json, 0, 3).size).toBe(0);
});

import { expect, it } from 'vitest';
import { createSignInWalls } from './sign-in-walls.ts';

const minute = 60_000;

it('treats a first sign-in wall as members-only content', () => {
  expect(createSignInWalls().recordWall('profile', '/a')).toBe('members only');
});

it('treats a wall on a page that was served in the last hour as a rate limit', () => {
  let now = 0;
  const signInWalls = createSignInWalls(() => now);
  signInWalls.recordPage('profile', '/a');
  now = 59 * minute;
  expect(signInWalls.recordWall('profile', '/a')).toBe('limit');
  expect(signInWalls.recordWall('profile', '/b')).toBe('members only');
  now = 61 * minute;
  expect(signInWalls.recordWall('profile', '/a')).toBe('members only');
});

it('suspects a rate limit after four walled pages of one kind within a quarter of an hour', () => {
  let now = 0;
  const signInWalls = createSignInWalls(() => now);
  const recordWalls = (...pages: readonly string[]) => pages.map((page) => signInWalls.recordWall('profile', page));
  expect(recordWalls('/a', '/a', '/b', '/b', '/c')).toEqual(Array(5).fill('members only'));
  expect(signInWalls.recordWall('photo', '/d')).toBe('members only');
  expect(recordWalls('/d')).toEqual(['suspected limit']);
  signInWalls.recordPage('profile', '/e');
  expect(recordWalls('/a', '/b', '/c')).toEqual(Array(3).fill('members only'));
  now = 16 * minute;
  expect(recordWalls('/d')).toEqual(['members only']);
});

it('forgets old records', () => {
  const signInWalls = createSignInWalls(() => 0);
  for (let page = 0; page < 5001; page += 1) signInWalls.recordPage('profile', `/${page}`);
  expect([signInWalls.recordWall('profile', '/0'), signInWalls.recordWall('profile', '/1')]).toEqual([
    'members only',
    'limit',
  ]);
});

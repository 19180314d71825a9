import { expect, it } from 'vitest';
import { createWalls } from './walls.ts';

const minute = 60_000;

it('takes a first wall for one before what is for members only', () => {
  expect(createWalls().met('profile', '/a')).toBe(false);
});

it('takes a wall before a page that was shown within the hour for a throttle', () => {
  let now = 0;
  const walls = createWalls(() => now);
  walls.passed('profile', '/a');
  now = 59 * minute;
  expect(walls.met('profile', '/a')).toBe(true);
  expect(walls.met('profile', '/b')).toBe(false);
  now = 61 * minute;
  expect(walls.met('profile', '/a')).toBe(false);
});

it('takes four walled pages in a row for a throttle, of one kind and within a quarter of an hour', () => {
  let now = 0;
  const walls = createWalls(() => now);
  const met = (...pages: readonly string[]) => pages.map((page) => walls.met('profile', page));
  expect(met('/a', '/a', '/b', '/b', '/c')).toEqual([false, false, false, false, false]);
  expect(walls.met('photo', '/d')).toBe(false);
  expect(met('/d')).toEqual([true]);
  walls.passed('profile', '/e');
  expect(met('/a', '/b', '/c')).toEqual([false, false, false]);
  now = 16 * minute;
  expect(met('/d')).toEqual([false]);
});

it('forgets what is long past', () => {
  const walls = createWalls(() => 0);
  for (let page = 0; page < 5001; page += 1) walls.passed('profile', `/${page}`);
  expect([walls.met('profile', '/0'), walls.met('profile', '/1')]).toEqual([false, true]);
});

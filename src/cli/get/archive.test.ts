import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseLink } from '../command-line/link-argument.ts';
import { openArchive } from './archive.ts';

const first = parseLink('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
const second = parseLink('https://www.tiktok.com/@thelab/video/7559142440960000001');
const third = parseLink('https://www.facebook.com/reel/770000000000001');

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-archive-'));
  path = join(folder, 'seen.txt');
});

afterEach(() => rm(folder, { recursive: true }));

test('lists what was added, one ID on each line', async () => {
  const archive = await openArchive(path);
  expect(archive.includes(first)).toBe(false);
  for (const link of [first, second, first, third]) await archive.add(link);
  expect(archive.includes(first)).toBe(true);
  expect(await readFile(path, 'utf8')).toBe('p1 dQw4w9WgXcQ\np4 7559142440960000001\np3 770000000000001\n');
  const reopened = await openArchive(path);
  expect([first, second, third].every((link) => reopened.includes(link))).toBe(true);
});

test('is read from the archive of yt-dlp, even without its last line break', async () => {
  await writeFile(path, '\r\nyoutube dQw4w9WgXcQ\r\n\ngeneric x\ntiktok 7559142440960000001');
  const archive = await openArchive(path);
  expect([first, second, third].map((link) => archive.includes(link))).toEqual([true, true, false]);
  await archive.add(third);
  expect(await readFile(path, 'utf8')).toMatch(/\ntiktok 7559142440960000001\np3 770000000000001\n$/);
});

test('keeps the lines of other processes', async () => {
  const [one, other] = [await openArchive(path), await openArchive(path)];
  await Promise.all([one.add(first), other.add(second), one.add(third)]);
  expect((await readFile(path, 'utf8')).split('\n').toSorted()).toEqual([
    '',
    'p1 dQw4w9WgXcQ',
    'p3 770000000000001',
    'p4 7559142440960000001',
  ]);
});

test('lists chapters, and a link contains all its chapters', async () => {
  const archive = await openArchive(path);
  await archive.add(first, 2);
  expect([archive.includes(first, 2), archive.includes(first, 3), archive.includes(first)]).toEqual([
    true,
    false,
    false,
  ]);
  await archive.add(first);
  expect(archive.includes(first, 3)).toBe(true);
});

test('is refused if it cannot be read', async () => {
  await expect(openArchive(folder)).rejects.toThrow(`${folder} is a folder.`);
});

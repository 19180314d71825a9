import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { memorySize } from './memory-size.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that a copy of JSON data really takes, by many of them. */
function measure(data: unknown): number {
  const text = JSON.stringify(data);
  const copies: unknown[] = new Array(Math.ceil(10_000_000 / memorySize(data))).fill(undefined);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (const place of copies.keys()) copies[place] = JSON.parse(text);
  collectGarbage();
  return (process.memoryUsage().heapUsed - before) / copies.length;
}

const many = <T>(count: number, make: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => make(place));
const link = `https://cdn.example/${'x'.repeat(400)}`;

test.each<[string, unknown]>([
  ['media', many(20, (n) => ({ item: { label: '720p', url: link + n, metadata: { width: 1280, fps: 29.97 } } }))],
  [
    'entries of a list',
    many(100, (n) => ({ type: 'video', id: `id of ${n}`, views: n, pictures: [{ url: link, n }] })),
  ],
  ['texts beyond Latin', many(200, (n) => `日本語のタイトル ${n}`)],
  ['numbers', many(1_000, () => 7)],
  ['empty objects', many(1_000, () => ({}))],
  ['empty lists', many(1_000, () => [])],
  ['an object of many members', Object.fromEntries(many(1_000, (n) => [`member ${n}`, n]))],
  ['next to nothing', { metadata: {} }],
])('%s take what is estimated, or a little less', (_what, data) => {
  const real = measure(data);
  expect(memorySize(data)).toBeGreaterThan(0.8 * real);
  expect(memorySize(data)).toBeLessThan(1.5 * real);
});

test('data that are too deep end somewhere', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  expect(memorySize(deep)).toBeLessThan(100_000);
});

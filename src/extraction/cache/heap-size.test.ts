import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { heapSize } from './heap-size.ts';

/** Copies JSON data many times, on a heap of its own: what other tests leave behind is collected at any time. */
const copier = `
  const { parentPort, workerData: { text, count } } = require('node:worker_threads');
  require('node:v8').setFlagsFromString('--expose-gc');
  const collectGarbage = require('node:vm').runInNewContext('gc');
  const copies = new Array(count).fill(undefined);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (const place of copies.keys()) copies[place] = JSON.parse(text);
  collectGarbage();
  parentPort.postMessage((process.memoryUsage().heapUsed - before) / copies.length);
`;

/** Bytes that a copy of JSON data really takes, by many of them. */
async function measure(data: unknown): Promise<number> {
  const text = JSON.stringify(data);
  const worker = new Worker(copier, {
    eval: true,
    workerData: { text, count: Math.ceil(10_000_000 / heapSize(data)) },
  });
  const [bytes] = await once(worker, 'message');
  await worker.terminate();
  return bytes;
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
])('%s take what is estimated, or a little less', async (_what, data) => {
  const real = await measure(data);
  expect(heapSize(data)).toBeGreaterThan(0.8 * real);
  expect(heapSize(data)).toBeLessThan(1.5 * real);
});

test('data that are too deep end somewhere', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  expect(heapSize(deep)).toBeLessThan(100_000);
});

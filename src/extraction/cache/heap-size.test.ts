import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { heapSize } from './heap-size.ts';

/** Copies JSON data many times on a separate heap, since garbage from other tests may be collected at any time. */
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

/** Measures the size in bytes of a copy of JSON data, as the average of many copies. */
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
  ['non-Latin text', many(200, (n) => `日本語のタイトル ${n}`)],
  ['numbers', many(1_000, () => 7)],
  ['empty objects', many(1_000, () => ({}))],
  ['empty lists', many(1_000, () => [])],
  ['an object with many members', Object.fromEntries(many(1_000, (n) => [`member ${n}`, n]))],
  ['a nearly empty result', { metadata: {} }],
])('the estimate for %s is close to the real size', async (_what, data) => {
  const real = await measure(data);
  expect(heapSize(data)).toBeGreaterThan(0.8 * real);
  expect(heapSize(data)).toBeLessThan(1.5 * real);
});

test('the estimate stops at a maximum depth', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  expect(heapSize(deep)).toBeLessThan(100_000);
});

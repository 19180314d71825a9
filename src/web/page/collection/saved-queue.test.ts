import { expect, test } from 'vitest';
import type { QueueItem } from './queue-item.ts';
import { MAX_ITEMS, parseSavedQueue } from './saved-queue.ts';

const item: QueueItem = {
  id: 'best ?q=x',
  title: 'A film',
  source: '?q=x',
  wanted: 'best',
  state: 'running',
  progress: 40,
  files: [{ url: 'https://service.example/files/x/a.mp4', size: 5 }],
  count: 2,
  saved: false,
  again: false,
  executionUrl: 'https://service.example/api/x',
  thumbnailUrl: 'https://service.example/relay/x.jpg',
  expiresAt: '2026-11-26T12:00:00Z',
  error: 'It took too long.',
};
const parse = (value: unknown) => parseSavedQueue(JSON.stringify(value));

test('a queue survives being stored', () => {
  const queue = { items: [item], paused: true, saveMode: 'zip', name: 'A list' } as const;
  expect(parse(queue)).toEqual(queue);
});

test.each([null, '', '{', '[]', '7', '{"items":7}', 'null'])('the stored text %s is an empty queue', (text) => {
  expect(parseSavedQueue(text).items).toEqual([]);
});

test.each([
  ['id', 7],
  ['title', null],
  ['source', undefined],
  ['title', 'x'.repeat(10_000)],
  ['state', 'exploded'],
  ['wanted', 'everything'],
])('an item whose %s is damaged is left out', (name, value) => {
  expect(parse({ items: [{ ...item, [name]: value }, null, 'x', item] }).items).toEqual([item]);
});

test.each([
  ['progress', -1, 0],
  ['progress', 'x', 0],
  ['count', 1.5, undefined],
  ['count', 0, undefined],
  ['executionUrl', {}, undefined],
  ['files', 'x', []],
  ['files', [{ url: 'javascript:alert(1)' }, { url: 7 }, null], []],
  ['files', [{ url: '/files/x', size: -1 }], [{ url: '/files/x' }]],
] as const)('the member %s with the value %j is read as %j', (name, value, expected) => {
  expect(parse({ items: [{ ...item, [name]: value }] }).items[0]?.[name]).toEqual(expected);
});

test('the number of items is bounded', () => {
  const items = Array.from({ length: MAX_ITEMS + 5 }, () => item);
  expect(parse({ items }).items).toHaveLength(MAX_ITEMS);
});

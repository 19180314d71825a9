import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExpired, parseSavedRenders, type SavedRender } from './saved-renders.ts';

const render: SavedRender = {
  id: 'p1-1',
  title: 'A title',
  label: '720p',
  kind: 'video',
  platform: 'p1',
  source: '?q=a',
  executionUrl: 'https://r.example/x',
  sseStatusUrl: 'https://r.example/s',
  status: 'done',
  progress: 100,
  expiresAt: '2026-11-21T12:00:00.000Z',
  output: { url: 'https://r.example/f', size: 1 },
  notes: ['The subtitles are not in the result.'],
};

test('saved renders are read, up to the limit', () => {
  expect(parseSavedRenders(JSON.stringify([render]))).toEqual([render]);
  expect(parseSavedRenders(JSON.stringify(Array(100).fill(render)))).toHaveLength(30);
});

test('renders that an older page saved are read', () => {
  const repeatable = { ...render, content: 2, errorCode: 'source_refused' };
  expect(parseSavedRenders(JSON.stringify([render, repeatable]))).toEqual([render, repeatable]);
});

test('other stored content is ignored', () => {
  expect(parseSavedRenders(null)).toEqual([]);
  const others = [
    { title: undefined },
    { kind: 1 },
    { progress: '1' },
    { expiresAt: 0 },
    { output: null },
    { output: {} },
    { notes: 'a' },
    { notes: [1] },
    { cancelled: 1 },
    { retryable: 'yes' },
    { content: '1' },
    { content: 0.5 },
    { errorCode: 1 },
  ];
  const invalidRenders = others.map((members) => ({ ...render, ...members }));
  expect(parseSavedRenders(JSON.stringify([...invalidRenders, null, [], render]))).toEqual([render]);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(Array.isArray(parseSavedRenders(text))).toBe(true);
    }),
    { seed: 2 },
  );
});

test('a render expires at its expiry time, and never without one', () => {
  const at = Date.parse(render.expiresAt ?? '');
  expect([isExpired(render, at - 1), isExpired(render, at), isExpired({}, at)]).toEqual([false, true, false]);
});

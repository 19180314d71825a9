import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ExtractionResult } from '../../contract/envelope.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { cacheHeaders, isSealed } from './cache-headers.ts';

const now = Date.UTC(2026, 10, 21, 12);
beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

const account = { id: 'extraction:1', plan: plans.PRO, test: false };
const base = 'https://api.example';
const metadata = { mime_type: 'video/mp4', width: 0, height: 0, has_audio: true };
const item = (url: string) => ({ label: 'x', url, repId: 'x', metadata });
const renderConfig = {
  executionUrl: 'https://r.example',
  statusUrl: 'wss://r.example',
  sseStatusUrl: 'https://r.example',
};
const plain: ExtractionResult = { error: null, contents: [{ videos: [item('https://cdn.example/x')] }], metadata: {} };
const fresh = {
  extraction: { metadata: {}, exit: 'direct' },
  fetchedAt: now,
  expiresAt: now + 120_000,
  isCached: false,
};

test('a fresh response may be cached as long as its result is valid', () => {
  expect(cacheHeaders(fresh, false)).toEqual({ 'cache-control': 'private, max-age=120' });
});

test('a response from the cache states its age, and has the same maximum age as a fresh one', () => {
  const cachedResult = { ...fresh, fetchedAt: now - 30_500, expiresAt: now + 89_500, isCached: true };
  expect(cacheHeaders(cachedResult, false)).toEqual({ age: '30', 'cache-control': 'private, max-age=120' });
});

test('a response that expires immediately must not be cached', () => {
  expect(cacheHeaders({ ...fresh, expiresAt: now }, false)).toEqual({});
});

test.each<[string, NonNullable<ExtractionResult['contents']>[number]]>([
  ['a relay link', { images: [item('https://cdn.example/x'), item(`${base}/relay/abc/image.jpg`)] }],
  ['a render config', { renderableVideos: [{ label: 'x', renderConfig, repId: 'x', metadata }] }],
  ['an audio render config', { renderableAudios: [{ label: 'x', renderConfig, repId: 'x', metadata }] }],
])('a response with %s must not be cached but still states its age', (_what, content) => {
  const answer = { ...plain, contents: [{ videos: [item('https://cdn.example/x')] }, content] };
  expect(isSealed(answer, account, base)).toBe(true);
  expect(cacheHeaders({ ...fresh, fetchedAt: now - 2_000, isCached: true }, true)).toEqual({ age: '2' });
});

test('a render that is not available contains no sealed link', () => {
  const contents = [{ renderableVideos: [{ label: '9p', error: 'There is no 9p.' }] }];
  expect(isSealed({ ...plain, contents }, account, base)).toBe(false);
  expect(isSealed(plain, account, base)).toBe(false);
  expect(isSealed(plain, { ...account, visitor: 'v' }, base)).toBe(true);
});

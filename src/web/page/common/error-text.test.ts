import { expect, test } from 'vitest';
import { MillraceApiError, MillraceNetworkError } from '#client/index.ts';
import { describeError } from './error-text.ts';

const request = { method: 'GET', url: 'https://a.example/' } as const;
const apiError = (code: string, more: object = {}) =>
  new MillraceApiError({ message: 'What happened.', code, statusCode: 400, retryable: false, ...more }, request);

test("a refusal includes advice and the platform's own message", () => {
  expect(describeError(apiError('not_found', { reason: 'Video unavailable' }), true)).toEqual({
    title: 'Not found',
    text: 'What happened.',
    advice: 'Check the link. The content may have been removed, or the link may contain a typo.',
    reason: 'Video unavailable',
    retryable: false,
  });
  expect(describeError(apiError('not_found', { reason: 'What happened' }), true)).not.toHaveProperty('reason');
});

test('a rate limit includes when to try again', () => {
  expect(describeError(apiError('rate_limited', { retryable: true, retryAfter: 1.2 }), true)).toMatchObject({
    retryable: true,
    retryAfter: 2,
  });
});

test('a missing response is distinguished from a missing connection', () => {
  const error = new MillraceNetworkError('unreachable', 'gone', request);
  expect(describeError(error, true)).toMatchObject({ title: 'No response', retryable: true });
  expect(describeError(error, false)).toMatchObject({ title: 'You are offline', retryable: true });
});

test('other errors keep their own message', () => {
  expect(describeError(apiError('invalid_something'), true).title).toBe('Invalid request');
  expect(describeError(new Error('Why.'), true)).toMatchObject({ text: 'Why.' });
  expect(describeError('odd', true).text).toBe('odd');
});

import { expect, test } from 'vitest';
import { MillraceApiError, MillraceNetworkError } from '#client/index.ts';
import { describeError } from './error-text.ts';

const request = { method: 'GET', url: 'https://a.example/' } as const;
const apiError = (code: string, more: object = {}) =>
  new MillraceApiError({ message: 'What happened.', code, statusCode: 400, retryable: false, ...more }, request);

test('a refusal is told with what to do, and with the words of the platform', () => {
  expect(describeError(apiError('not_found', { reason: 'Video unavailable' }), true)).toEqual({
    title: 'Not found',
    text: 'What happened.',
    advice: 'Check the link: it may have been removed, or typed wrongly.',
    reason: 'Video unavailable',
    retryable: false,
  });
  expect(describeError(apiError('not_found', { reason: 'What happened' }), true)).not.toHaveProperty('reason');
});

test('who asks too often is told when to come back', () => {
  expect(describeError(apiError('rate_limited', { retryable: true, retryAfter: 1.2 }), true)).toMatchObject({
    retryable: true,
    retryAfter: 2,
  });
});

test('no answer is told from no connection', () => {
  const error = new MillraceNetworkError('unreachable', 'gone', request);
  expect(describeError(error, true)).toMatchObject({ title: 'No answer', retryable: true });
  expect(describeError(error, false)).toMatchObject({ title: 'You are offline', retryable: true });
});

test('anything else is told in its own words', () => {
  expect(describeError(apiError('invalid_something'), true).title).toBe('That cannot be asked');
  expect(describeError(new Error('Why.'), true)).toMatchObject({ text: 'Why.' });
  expect(describeError('odd', true).text).toBe('odd');
});

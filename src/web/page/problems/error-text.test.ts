import { expect, test } from 'vitest';
import {
  type ErrorCode,
  MillraceApiError,
  MillraceNetworkError,
  MillraceRenderError,
  type NetworkFault,
  type RenderStatusEvent,
} from '#client/index.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import { describeError, describeFailure, PageError } from './error-text.ts';

const request = { method: 'GET', url: 'https://a.example/p1/v3/video/details' } as const;
const apiError = (code: string, more: object = {}, url: string = request.url) =>
  new MillraceApiError(
    { message: 'What happened.', code, statusCode: 400, retryable: false, ...more },
    { ...request, url },
  );

test.each(Object.keys(errorCatalogue))('%s is described in words that people know', (code) => {
  for (const { title, text, advice = '' } of [describeFailure(code), describeError(apiError(code), true)]) {
    for (const part of [title, text]) expect(part).toMatch(/^[A-Z]/);
    expect(title).not.toMatch(/[.!]$/);
    expect(`${title} ${text} ${advice}`).not.toMatch(
      /\b(?:codec|container|input|endpoint|parameter|token|API|HTTP|key|job)s?\b/i,
    );
  }
});

test('a code of a newer service has the text of an unknown problem', () => {
  expect(describeFailure('from_the_future')).toEqual(describeFailure('other'));
  expect(describeFailure('constructor')).toEqual(describeFailure('other'));
  expect(describeFailure(undefined)).toEqual(describeFailure('other'));
});

test('what the site says is quoted, and content that was removed is called so', () => {
  expect(
    describeError(apiError('not_found', { reason: 'This video has been removed by the uploader.' }), true),
  ).toEqual({
    title: 'This video was removed',
    text: 'It was deleted by its owner or by the site.',
    quote: 'YouTube says: “This video has been removed by the uploader.”',
    retryable: false,
  });
  expect(describeError(apiError('not_found', { reason: 'Video unavailable' }), true).title).toBe(
    'Nothing found at this link',
  );
  const post = apiError('not_found', { reason: 'Deleted.' }, 'https://a.example/p2/v3/media/post/details');
  expect(describeError(post, true)).toMatchObject({
    title: 'This post was removed',
    quote: 'Instagram says: “Deleted.”',
  });
  expect(describeError(apiError('blocked'), true).quote).toBe('The service says: “What happened.”');
});

test('an item that is locked to countries names them', () => {
  const locked = (detail: object) => describeError(apiError('unavailable', { detail }), true);
  expect(locked({ allowedCountries: ['fr', 'BE', 'nonsense', 7] })).toMatchObject({
    title: 'Not available in this country',
    text: 'Available in: Belgium and France.',
  });
  expect(locked({ deniedCountries: ['US'] }).text).toBe('Not available in: United States.');
  const many = ['AD', 'BE', 'DE', 'FR', 'GB', 'JP', 'US', 'IT', 'ES'];
  expect(locked({ allowedCountries: many }).text).toBe('It is available in 9 countries.');
  expect(locked({ allowedCountries: 'FR' }).title).toBe('Not available');
  const unlisted = apiError('unavailable', { message: 'The post is not available in the country of this request.' });
  expect(describeError(unlisted, true).text).toBe('The site shows it only in some countries.');
});

test.each([
  ['The account is private, so only its followers can see its posts.', false, 'This is private'],
  ['The video is only available to members or buyers.', false, 'Members or buyers only'],
  ['The live stream is not on air.', true, 'Not available yet'],
  ['The site rejected the video.', false, 'Not available'],
])('the kind of unavailable content is named: %s', (message, retryable, title) => {
  const text = describeError(apiError('unavailable', { message, retryable }), true);
  expect(text).toMatchObject({ title, quote: `The service says: “${message}”` });
});

test('a country without a connection names those with one', () => {
  const unsupported = (availableCountries: readonly string[]) =>
    describeError(apiError('unsupported_proxy_for_geo_targeting', { detail: { availableCountries } }), true);
  expect(unsupported(['FR', 'DE']).text).toBe('This service can send requests only from: France and Germany.');
  expect(unsupported([]).text).toBe('This service has no connections in other countries.');
});

test('a rate limit includes when to try again', () => {
  expect(describeError(apiError('rate_limited', { retryable: true, retryAfter: 1.2 }), true)).toMatchObject({
    retryable: true,
    retryAfter: 2,
  });
  expect(describeError(apiError('rate_limited', { retryable: true, retryAfter: 7_200 }), true).title).toBe(
    'Daily limit reached',
  );
});

test('a failed render is described by its code, and states what only its message tells', () => {
  const failed = (error_code: ErrorCode) =>
    describeError(
      new MillraceRenderError({ error: 'The media has 30 s.', error_code, retryable: false } as RenderStatusEvent),
    );
  expect(failed('clip_out_of_range')).toMatchObject({
    title: 'The clip is outside the video',
    quote: 'The service says: “The media has 30 s.”',
    retryable: false,
  });
  expect(failed('worker_lost')).not.toHaveProperty('quote');
});

test('a missing response is distinguished from a missing connection', () => {
  const fault = (name: NetworkFault) => new MillraceNetworkError(name, 'gone', request);
  expect(describeError(fault('unreachable'), true)).toMatchObject({ title: 'No response', retryable: true });
  expect(describeError(fault('timeout'), true)).toMatchObject({ title: 'The request timed out', retryable: true });
  expect(describeError(fault('changed'), true)).toMatchObject({ retryable: false });
  expect(describeError(fault('unreachable'), false)).toMatchObject({ title: 'You are offline', retryable: true });
});

test('errors of the page have texts, and others keep their own message', () => {
  expect(describeError(new PageError('missingChannel'), true)).toMatchObject({ retryable: false });
  expect(describeError(new Error('Why.'), true)).toMatchObject({ text: 'Why.' });
  expect(describeError('odd', true).text).toBe('odd');
});

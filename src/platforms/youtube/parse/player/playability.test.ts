import { describe, expect, it } from 'vitest';
import { readPlayability } from './playability.ts';

const ID = 'dQw4w9WgXcQ';
const details = { videoDetails: { videoId: ID } };
const judge = (playabilityStatus: unknown, rest: object = details) =>
  readPlayability({ playabilityStatus, ...rest }, ID);

describe("a player's verdict", () => {
  it('is playable', () => {
    expect(judge({ status: 'OK' })).toEqual({ state: 'playable' });
  });

  it.each<[string, unknown, string, string, boolean]>([
    [
      'a bot check',
      { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' },
      'blocked',
      'non_2xx_response',
      false,
    ],
    [
      'a request to reload the page',
      { status: 'UNPLAYABLE', reason: 'The page needs to be reloaded.' },
      'blocked',
      'non_2xx_response',
      false,
    ],
    [
      'a captcha',
      { status: 'UNPLAYABLE', errorScreen: { playerCaptchaViewModel: {} } },
      'blocked',
      'non_2xx_response',
      false,
    ],
    [
      'a put-off',
      { status: 'UNPLAYABLE', reason: "This content isn't available, try again later." },
      'blocked',
      'non_2xx_response',
      false,
    ],
    ['an age gate', { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age' }, 'age', 'age_restricted', true],
    [
      'an age gate by its sign',
      { status: 'LOGIN_REQUIRED', desktopLegacyAgeGateReason: 1 },
      'age',
      'age_restricted',
      true,
    ],
    ['an age gate by its status', { status: 'AGE_CHECK_REQUIRED' }, 'age', 'age_restricted', true],
    ['a content check', { status: 'CONTENT_CHECK_REQUIRED' }, 'age', 'age_restricted', true],
    [
      'a private video',
      { status: 'LOGIN_REQUIRED', messages: ['This is a private video.'] },
      'private',
      'unavailable',
      true,
    ],
    ['a sign-in', { status: 'LOGIN_REQUIRED', reason: 'Please sign in' }, 'signin', 'signin_required', false],
    [
      'a country',
      {
        status: 'UNPLAYABLE',
        reason: 'Video unavailable',
        errorScreen: {
          playerErrorMessageRenderer: {
            subreason: { simpleText: 'The uploader has not made this video available in your country' },
          },
        },
      },
      'country',
      'unavailable',
      true,
    ],
    [
      'a terminated account',
      {
        status: 'UNPLAYABLE',
        reason:
          'This video is no longer available because the YouTube account associated with this video has been terminated.',
      },
      'missing',
      'not_found',
      false,
    ],
    [
      'a closed account',
      {
        status: 'UNPLAYABLE',
        reason: 'This video is no longer available because the uploader has closed their YouTube account.',
      },
      'missing',
      'not_found',
      false,
    ],
    [
      'members',
      { status: 'UNPLAYABLE', reason: "This video is available to this channel's members." },
      'paid',
      'unavailable',
      true,
    ],
    [
      'a payment',
      { status: 'UNPLAYABLE', reason: 'This video requires payment to watch.' },
      'paid',
      'unavailable',
      true,
    ],
    [
      'an offer',
      { status: 'UNPLAYABLE', errorScreen: { ypcTrailerRenderer: {}, playerLegacyDesktopYpcTrailerRenderer: {} } },
      'paid',
      'unavailable',
      true,
    ],
    [
      'a video for children',
      { status: 'UNPLAYABLE', reason: 'This video is not available' },
      'unplayable',
      'unavailable',
      false,
    ],
    ['nothing under the id', { status: 'ERROR', reason: 'Video unavailable' }, 'missing', 'not_found', false],
    [
      'a removal',
      { status: 'ERROR', reason: 'This video has been removed by the uploader' },
      'missing',
      'not_found',
      false,
    ],
    ['a status of tomorrow', { status: 'NEVER_SEEN' }, 'unplayable', 'unavailable', false],
    ['no status', { reason: 'x' }, 'unreadable', 'invalid_response_data', false],
  ])('is %s', (_name, status, kind, code, final) => {
    expect(judge(status)).toMatchObject({ state: 'refused', kind, final, error: { code } });
  });

  it('is not_found for an empty response', () => {
    expect(readPlayability({}, ID)).toMatchObject({ kind: 'missing', error: { code: 'not_found' } });
  });

  it('only counts for the requested video', () => {
    const other = { videoDetails: { videoId: 'aaaaaaaaaaa' } };
    expect(judge({ status: 'OK' }, other)).toMatchObject({
      kind: 'other_video',
      error: { code: 'invalid_response_data', retryable: true },
    });
    expect(judge({ status: 'OK' }, {})).toMatchObject({
      kind: 'unreadable',
      error: { unread: { 'player-without-videoId': 1 } },
    });
  });

  it("includes the site's own text for the caller", () => {
    const playability = judge({
      status: 'UNPLAYABLE',
      reason: 'Not in your country',
      messages: ['Not in your country', 'Sorry.'],
    });
    expect(playability).toMatchObject({
      error: {
        message: 'The video is not available in the country of this request. YouTube says: Not in your country. Sorry.',
        reason: 'Not in your country. Sorry.',
      },
    });
  });

  it('includes the start time of a stream', () => {
    const slate = { liveStreamOfflineSlateRenderer: { scheduledStartTime: '1677592800' } };
    const live = { liveStreamability: { liveStreamabilityRenderer: { offlineSlate: slate } } };
    expect(
      judge({ status: 'LIVE_STREAM_OFFLINE', reason: 'This live event will begin in 18 hours.', ...live }),
    ).toEqual({
      state: 'offline',
      reason: 'This live event will begin in 18 hours.',
      scheduledAt: '2023-02-28T14:00:00.000Z',
    });
    expect(judge({ status: 'LIVE_STREAM_OFFLINE' })).toEqual({ state: 'offline', reason: '' });
  });
});

import { type ErrorCode, MillraceError } from '../../../../contract/errors.ts';
import { dig, type Fields, fields, list } from '../../../../parsing/values.ts';
import { unreadResponse } from '../../../unread.ts';
import { isoFromSeconds } from '../dates.ts';
import { videoIdOf } from '../ids.ts';
import { readText } from '../text.ts';

/** Whether a client's player can play the video. */
export type Playability =
  | { readonly state: 'playable' }
  /** A live stream or premiere that is not live; the site's text, and its start time if known. */
  | { readonly state: 'offline'; readonly reason: string; readonly scheduledAt?: string }
  /** `final` means that no other client is requested: the video is closed, and no bypass is attempted. */
  | { readonly state: 'refused'; readonly kind: RefusalKind; readonly final: boolean; readonly error: MillraceError };

/** Why a video is refused. */
type RefusalKind = keyof typeof refusals | 'unreadable';

const MAX_REASON = 500;

const refusals = {
  blocked: ['non_2xx_response', "YouTube treated the request as a bot's. Try again in a moment."],
  other_video: ['invalid_response_data', 'YouTube returned another video. Try again in a moment.'],
  age: ['age_restricted', 'YouTube shows the video only to signed-in adults.'],
  private: ['unavailable', 'The video is private.'],
  country: ['unavailable', 'The video is not available in the country of this request.'],
  paid: ['unavailable', 'The video is only available to members or buyers.'],
  signin: ['signin_required', 'YouTube requires a signed-in user for this video.'],
  missing: ['not_found', 'No video has this ID, or it was removed.'],
  outdated: ['unavailable', 'YouTube no longer plays the video for this version of its app.'],
  unplayable: ['unavailable', 'YouTube does not allow this video to be played.'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

/** Kinds for which the video is closed to all requests like ours, from any client. */
const finalKinds: readonly RefusalKind[] = ['age', 'private', 'country', 'paid'];

const ageStatuses = ['AGE_VERIFICATION_REQUIRED', 'AGE_CHECK_REQUIRED', 'CONTENT_CHECK_REQUIRED'];

/** Meanings of the English texts; the first match counts. The texts accompany statuses with several meanings. */
const reasonPatterns: readonly (readonly [RegExp, keyof typeof refusals])[] = [
  // "The page needs to be reloaded" is a refusal of the visitor (PipePipe 1890, 2026-01).
  [/not a bot|try again later|unusual traffic|needs to be reloaded/i, 'blocked'],
  // "The following content is not available on this app. Watch on the latest version of YouTube" (yt-dlp 10108, 2024-06).
  [/not available on this app|latest version of YouTube/i, 'outdated'],
  [/confirm your age|age.restricted|inappropriate/i, 'age'],
  [/account (?:associated with this video )?has been terminated|has closed their YouTube account/i, 'missing'],
  [/\bprivate\b/i, 'private'],
  [/\bcountry\b|\bregion\b|in your location/i, 'country'],
  [/\bmembers?\b|music premium|\bpayment\b|\bpurchase|\brent(?:al|ed)?\b|\bbuy\b/i, 'paid'],
];

/**
 * Evaluates a player's response by its `playabilityStatus`: the status first, then the texts, which may be only in the
 * error screen (recorded 2025-07). `reel_item_watch` returns an empty response for an unknown ID.
 *
 * @param videoId The requested ID. YouTube may return another video if it withholds the requested one from an IP
 * address.
 */
export function readPlayability(response: Fields, videoId: string): Playability {
  const { playabilityStatus, videoDetails } = response;
  const { status, errorScreen, desktopLegacyAgeGateReason } = fields(playabilityStatus);
  const playedId = videoIdOf(dig(videoDetails, 'videoId'));
  if (playedId !== undefined && playedId !== videoId) return refusal('other_video', '');
  if (Object.keys(response).length === 0) return refusal('missing', '');
  if (typeof status !== 'string') return unreadable('player-without-playabilityStatus');
  if (status === 'OK') return playedId === undefined ? unreadable('player-without-videoId') : { state: 'playable' };
  const words = readReasons(playabilityStatus);
  const reason = words.map(sentence).join(' ').slice(0, MAX_REASON);
  if (status === 'LIVE_STREAM_OFFLINE') return offline(playabilityStatus, words[0] ?? '');
  if (dig(errorScreen, 'playerCaptchaViewModel') !== undefined) return refusal('blocked', reason);
  const kind = reasonPatterns.find(([meaning]) => meaning.test(reason))?.[1];
  if (kind === 'blocked') return refusal(kind, reason);
  if (desktopLegacyAgeGateReason !== undefined || ageStatuses.includes(status)) return refusal('age', reason);
  if (kind !== undefined) return refusal(kind, reason);
  if (Object.keys(fields(errorScreen)).some((name) => /Ypc/.test(name))) return refusal('paid', reason);
  if (status === 'LOGIN_REQUIRED') return refusal('signin', reason);
  return refusal(status === 'ERROR' ? 'missing' : 'unplayable', reason);
}

/**
 * Returns the error for a playable response without any media to fetch: all of it has DRM, or uses a protocol of the
 * site's own players.
 */
export function noMediaError(): MillraceError {
  return new MillraceError('unavailable', 'YouTube returned no link to a file of this video.');
}

/** Returns the refusal for a response that does not tell whether the video can be played. */
function unreadable(kind: string): Playability {
  const error = unreadResponse('YouTube returned the player', { [kind]: 1 });
  return { state: 'refused', kind: 'unreadable', final: false, error };
}

function refusal(kind: keyof typeof refusals, reason: string): Playability {
  const [code, message] = refusals[kind];
  const error =
    reason === ''
      ? new MillraceError(code, message)
      : new MillraceError(code, `${message} YouTube says: ${reason}`, { reason });
  return { state: 'refused', kind, final: finalKinds.includes(kind), error };
}

function offline(status: unknown, reason: string): Playability {
  const slate = dig(status, 'liveStreamability', 'liveStreamabilityRenderer', 'offlineSlate');
  const scheduledAt = isoFromSeconds(dig(slate, 'liveStreamOfflineSlateRenderer', 'scheduledStartTime'));
  return { state: 'offline', reason, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** Returns all texts of a status, each once, the most specific first. */
function readReasons(status: unknown): readonly string[] {
  const { reason, messages, errorScreen } = fields(status);
  const screen = dig(errorScreen, 'playerErrorMessageRenderer');
  const offer = dig(errorScreen, 'playerLegacyDesktopYpcOfferRenderer', 'offerDescription');
  const texts = [reason, dig(screen, 'reason'), ...list(messages).slice(0, 5), dig(screen, 'subreason'), offer];
  return [...new Set(texts.flatMap((text) => readText(text) ?? []))];
}

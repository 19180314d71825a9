import { type ErrorCode, MillraceError } from '../../../../contract/errors.ts';
import { dig, type Fields, fields, list } from '../../../../parsing/values.ts';
import { isoFromSeconds } from '../dates.ts';
import { videoIdOf } from '../ids.ts';
import { readText } from '../text.ts';

/** Whether a client's player would play the video. */
export type Playability =
  | { readonly state: 'playable' }
  /** A live stream or premiere that is not on air; the site's words, and when it begins where that is told. */
  | { readonly state: 'offline'; readonly reason: string; readonly scheduledAt?: string }
  /** `final` where no other client is to be asked: the video is closed, and no way around that is tried. */
  | { readonly state: 'refused'; readonly kind: RefusalKind; readonly final: boolean; readonly error: MillraceError };

/** Why a video is refused. */
type RefusalKind = keyof typeof refusals;

const MAX_REASON = 500;

const refusals = {
  blocked: ['non_2xx_response', 'YouTube takes the request for that of a bot. Try again in a moment.'],
  other_video: ['non_2xx_response', 'YouTube answered with another video. Try again in a moment.'],
  age: ['age_restricted', 'YouTube shows the video to signed-in adults only.'],
  private: ['unavailable', 'The video is private.'],
  country: ['unavailable', 'The video is not shown in the country that was asked from.'],
  paid: ['unavailable', 'The video is for members or buyers only.'],
  signin: ['signin_required', 'YouTube shows the video to signed-in users only.'],
  missing: ['not_found', 'There is no video with this id, or it was removed.'],
  unplayable: ['unavailable', 'YouTube does not play the video.'],
  unreadable: ['invalid_response_data', "YouTube's answer does not tell whether the video can be played. Try again."],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

/** The video is closed to everybody who asks as we do, whatever the client. */
const finalKinds: readonly RefusalKind[] = ['age', 'private', 'country', 'paid'];

const ageStatuses = ['AGE_VERIFICATION_REQUIRED', 'AGE_CHECK_REQUIRED', 'CONTENT_CHECK_REQUIRED'];

/** What the English words mean, the first match counting. They stand beside statuses that mean several things. */
const reasonPatterns: readonly (readonly [RegExp, RefusalKind])[] = [
  [/not a bot|try again later|unusual traffic/i, 'blocked'],
  [/confirm your age|age.restricted|inappropriate/i, 'age'],
  [/\bprivate\b/i, 'private'],
  [/\bcountry\b|\bregion\b|in your location/i, 'country'],
  [/\bmembers?\b|music premium|\bpayment\b|\bpurchase|\brent(?:al|ed)?\b|\bbuy\b/i, 'paid'],
];

/**
 * Judges the response of a player by its `playabilityStatus`: the status first, then the words, which may stand in the
 * error screen alone (recorded 2025-07). An empty response is that of `reel_item_watch` to an unknown id.
 *
 * @param videoId The id that was asked for: in the place of a video that it keeps from an address, YouTube may put
 *   another one.
 */
export function readPlayability(response: Fields, videoId: string): Playability {
  const { playabilityStatus, videoDetails } = response;
  const { status, errorScreen, desktopLegacyAgeGateReason } = fields(playabilityStatus);
  const playedId = videoIdOf(dig(videoDetails, 'videoId'));
  if (playedId !== undefined && playedId !== videoId) return refusal('other_video', '');
  if (typeof status !== 'string') return refusal(Object.keys(response).length === 0 ? 'missing' : 'unreadable', '');
  if (status === 'OK') return playedId === undefined ? refusal('unreadable', '') : { state: 'playable' };
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
 * Why a response that would be played has nothing that could be fetched: all of it is under DRM, or behind a protocol
 * of the site's own players.
 */
export function noMediaError(): MillraceError {
  return new MillraceError('unavailable', 'YouTube offers no stream of the video that can be fetched.');
}

function refusal(kind: RefusalKind, reason: string): Playability {
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

/** Everything that a status says, each text once, the most telling first. */
function readReasons(status: unknown): readonly string[] {
  const { reason, messages, errorScreen } = fields(status);
  const screen = dig(errorScreen, 'playerErrorMessageRenderer');
  const offer = dig(errorScreen, 'playerLegacyDesktopYpcOfferRenderer', 'offerDescription');
  const texts = [reason, dig(screen, 'reason'), ...list(messages).slice(0, 5), dig(screen, 'subreason'), offer];
  return [...new Set(texts.flatMap((text) => readText(text) ?? []))];
}

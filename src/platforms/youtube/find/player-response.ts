import { MillraceError } from '../../../contract/errors.ts';
import type { Fields } from '../../../parsing/values.ts';
import { type ClientProfile, requestKey } from '../client-profiles.ts';
import { RejectedRequestError } from '../parse/json-response.ts';
import { type Playability, readPlayability } from '../parse/player/playability.ts';
import { readStreams, type Streams } from '../parse/player/streams.ts';
import type { Innertube } from '../requests/innertube.ts';
import { requestPlayer } from '../requests/player.ts';

/** The response of a player that can play the video, or that reports when it begins. */
export interface PlayerResponse {
  readonly response: Fields;
  readonly playability: Exclude<Playability, { readonly state: 'refused' }>;
  readonly streams: Streams;
}

/** Why a profile has no media. */
export interface ProfileFailure {
  readonly error: MillraceError;
  /**
   * What fails in the same way: everything that requests the `video`, all profiles of the InnerTube `client`, or only
   * this `profile`.
   */
  readonly scope: 'video' | 'client' | 'profile';
  /** Whether the visitor was treated as a bot. */
  readonly blocked?: boolean;
}

/** The streams of a video that is not live. */
const noStreams: Streams = { formats: [], unread: {}, onlyPlaylist: false };

/**
 * Requests and reads the player of a profile. After a bot check, the next request is sent as a new visitor.
 *
 * @throws MillraceError only when no caller is waiting any more.
 */
async function fetchPlayer(
  innertube: Innertube,
  videoId: string,
  profile: ClientProfile,
  timeout: number,
  signal: AbortSignal,
): Promise<PlayerResponse | ProfileFailure> {
  try {
    const response = await requestPlayer(innertube, videoId, profile, timeout);
    const playability = readPlayability(response, videoId);
    if (playability.state === 'playable') return { response, playability, streams: readStreams(response) };
    if (playability.state === 'offline') return { response, playability, streams: noStreams };
    const { kind, final, error } = playability;
    const blocked = kind === 'blocked';
    if (blocked) innertube.dropVisitor(profile);
    // Except for an outdated version, the site refuses the video or the visitor, and another version changes neither.
    return { error, blocked, scope: final ? 'video' : kind === 'outdated' ? 'profile' : 'client' };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { error, scope: error instanceof RejectedRequestError ? 'profile' : 'client' };
  }
}

/**
 * Fetches the players of profiles for one extraction. Profiles that send the same request share its response. If a
 * visitor is treated as a bot, the request is repeated as a new visitor: only once in total, and within the time that
 * the first response left.
 */
export function createPlayerFetcher(innertube: Innertube, videoId: string, signal: AbortSignal) {
  const responses = new Map<string, PlayerResponse | ProfileFailure>();
  let mayRetry = true;

  async function fetchAndRetry(profile: ClientProfile, timeout: number): Promise<PlayerResponse | ProfileFailure> {
    const started = performance.now();
    const first = await fetchPlayer(innertube, videoId, profile, timeout, signal);
    // A profile may wait twice for the timeout. The new visitor ID and the second request share the remaining time.
    const timeLeft = Math.floor(timeout - (performance.now() - started) / 2);
    if (!('error' in first && first.blocked && mayRetry && timeLeft >= timeout / 2)) return first;
    mayRetry = false;
    return await fetchPlayer(innertube, videoId, profile, timeLeft, signal);
  }

  return async (profile: ClientProfile, timeout: number): Promise<PlayerResponse | ProfileFailure> => {
    const key = requestKey(profile);
    const response = responses.get(key) ?? (await fetchAndRetry(profile, timeout));
    responses.set(key, response);
    return response;
  };
}

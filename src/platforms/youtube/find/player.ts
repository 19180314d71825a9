import { MillraceError } from '../../../contract/errors.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { defined, dig } from '../../../parsing/values.ts';
import type { ExtractionContext } from '../../platform.ts';
import { addUnread, type UnreadKinds, UnreadResponseError, unreadIn, unreadResponse } from '../../unread.ts';
import type { ClientProfile } from '../client-profiles.ts';
import { noMediaError } from '../parse/player/playability.ts';
import type { Innertube } from '../requests/innertube.ts';
import { fetchMaster } from '../requests/master-playlist.ts';
import { createPlayerFetcher, type PlayerResponse, type ProfileFailure } from './player-response.ts';

/** Milliseconds of the extraction that are left for the requests after those of the profiles. */
const LATER_REQUESTS_MS = 5_000;

/** Maximum milliseconds for one request. A profile may need two: for a visitor ID, and for the player. */
const TIMEOUT_MS = 5_000;

/** Minimum milliseconds for one request. With less time, no further profile is tried. */
const MIN_TIMEOUT_MS = 500;

/** A player whose media can be used, or that reports when the video begins. */
export interface Player extends PlayerMedia {
  readonly profile: ClientProfile;
  /** The preferred profile, if another one is used instead. */
  readonly preferred?: PreferredProfile;
  /** Streams of this profile, and parts of the responses of other profiles, in an unknown format. */
  readonly unread: UnreadKinds;
}

/** A player's response, and the media that its profile uses. */
interface PlayerMedia extends PlayerResponse {
  /** The master playlist, if the profile uses it in place of files. */
  readonly master?: MasterPlaylist;
}

/** The profile from which the media should have come. */
interface PreferredProfile {
  readonly name: string;
  /** Why it returned no media. Absent if its media was recently refused, so that other profiles were tried first. */
  readonly failure?: MillraceError;
}

/**
 * Tries client profiles one after the other, in the order of `context.profileOrder`, until one can play the video and
 * has media. A profile that reports the video as closed ends the chain. A refusal that another version of the same
 * client would also get skips the other profiles of that client.
 *
 * @throws MillraceError the failure of the first profile whose response could not be read, or else of the last profile;
 * if that one only had no media, then the last failure that a retry may avoid. `operation_timeout` if no time remained to
 * try all.
 */
export async function findPlayer(
  innertube: Innertube,
  videoId: string,
  { profileOrder, timeLeft, signal }: Pick<ExtractionContext, 'profileOrder' | 'timeLeft' | 'signal'>,
): Promise<Player> {
  const { mediaOrder } = innertube.site;
  const fetchPlayer = createPlayerFetcher(innertube, videoId, signal);
  const chainTimeLeft = () => timeLeft() - LATER_REQUESTS_MS;
  const failures = new Map<string, MillraceError>();
  const unread = new Map<string, UnreadKinds>();
  let profiles = profileOrder(mediaOrder.map(({ name }) => name)).flatMap(
    (name) => mediaOrder.find((profile) => profile.name === name) ?? [],
  );
  const preferred = mediaOrder.find((profile) => profiles.includes(profile));

  while (profiles[0] !== undefined) {
    const [profile, ...others] = profiles;
    const timeout = timeoutOf(profiles, chainTimeLeft());
    if (timeout < MIN_TIMEOUT_MS) {
      failures.set(profile.name, unaskedError());
      break;
    }
    const response = await fetchPlayer(profile, timeout);
    const timeLeft = Math.max(MIN_TIMEOUT_MS, Math.min(timeout, Math.floor(chainTimeLeft())));
    const media = 'error' in response ? response : await findMedia(innertube, profile, response, timeLeft, signal);
    if (!('error' in media)) {
      addOnce(unread, profile, media.streams.unread);
      const instead = insteadOf(preferred, profile, failures);
      return { ...media, profile, unread: addUnread(...unread.values()), ...defined({ preferred: instead }) };
    }
    if (media.scope === 'video') throw media.error;
    failures.set(profile.name, media.error);
    addOnce(unread, profile, unreadIn([media.error]));
    profiles = media.scope === 'client' ? others.filter((other) => other.clientName !== profile.clientName) : others;
  }
  throw mostTelling([...failures.values()]);
}

/** Adds the unread kinds of a client. Its profiles get the same streams, which count once. */
function addOnce(unread: Map<string, UnreadKinds>, { clientName }: ClientProfile, kinds: UnreadKinds): void {
  unread.set(clientName, { ...kinds, ...unread.get(clientName) });
}

/** Returns the milliseconds for a request of the first profile, which leave time for each of the other clients. */
function timeoutOf(profiles: readonly ClientProfile[], timeLeft: number): number {
  const clients = new Set(profiles.map(({ clientName }) => clientName));
  return Math.min(TIMEOUT_MS, Math.floor(timeLeft / (2 * clients.size)));
}

/** Returns the part of a response that the profile uses, or the reason that it is missing. */
async function findMedia(
  innertube: Innertube,
  profile: ClientProfile,
  player: PlayerResponse,
  timeout: number,
  signal: AbortSignal,
): Promise<PlayerMedia | ProfileFailure> {
  const { playability, streams, response } = player;
  const { formats, hlsUrl } = streams;
  const isLive = streams.onlyPlaylist || dig(response, 'videoDetails', 'isLive') === true;
  if (playability.state === 'offline' || (isLive && hlsUrl !== undefined)) return player;
  if (profile.media === 'files' && formats.length > 0) return player;
  const usesPlaylist = profile.media === 'hls' || !hasPlaylistProfile(profile, innertube.site.mediaOrder);
  if (hlsUrl === undefined || !usesPlaylist) {
    const isUnread = Object.keys(streams.unread).length > 0;
    const error = isUnread ? unreadResponse('YouTube returned the streams', streams.unread) : noMediaError();
    return { error, scope: 'profile' };
  }
  try {
    return { ...player, master: await fetchMaster(innertube, profile, hlsUrl, timeout) };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { error, scope: 'profile' };
  }
}

/** Returns whether another profile of the client uses the playlist. */
function hasPlaylistProfile({ clientName }: ClientProfile, profiles: readonly ClientProfile[]): boolean {
  return profiles.some((other) => other.media === 'hls' && other.clientName === clientName);
}

function insteadOf(
  preferred: ClientProfile | undefined,
  used: ClientProfile,
  failures: ReadonlyMap<string, MillraceError>,
): PreferredProfile | undefined {
  if (preferred === undefined || preferred === used) return undefined;
  const { name } = preferred;
  return { name, ...defined({ failure: failures.get(name) }) };
}

/** Returns the failure of a profile for which no time remained: it may have what the others lack. */
function unaskedError(): MillraceError {
  return new MillraceError(
    'operation_timeout',
    'YouTube responded so slowly that no time remained to ask all its clients. Try again.',
  );
}

function mostTelling(failures: readonly MillraceError[]): MillraceError {
  const unread = failures.find((error) => error instanceof UnreadResponseError);
  const last = failures.at(-1);
  // A client without media says nothing about one that could not be asked.
  const retryable = last?.code === 'unavailable' ? failures.findLast((error) => error.retryable) : undefined;
  return unread ?? retryable ?? last ?? noMediaError();
}

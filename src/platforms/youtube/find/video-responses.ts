import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, list } from '../../../parsing/values.ts';
import type { ExtractionContext } from '../../platform.ts';
import { addUnread, type UnreadKinds, unreadIn } from '../../unread.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { readPlayability } from '../parse/player/playability.ts';
import type { Innertube } from '../requests/innertube.ts';
import { requestDetails } from '../requests/player.ts';
import { findPlayer, type Player } from './player.ts';

/** Time limit for the details in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The site's responses about one video. */
interface VideoResponses {
  /** Absent if no media was requested. */
  readonly player?: Player;
  /** From the WEB player, the only response with the microformat. */
  readonly web?: LocalisedResponse;
  /** From `next`, the page around the video. */
  readonly watch?: LocalisedResponse;
  /** Why parts are missing. */
  readonly failures: readonly MillraceError[];
  /** Parts of the players' responses that have an unknown format. */
  readonly unread: UnreadKinds;
}

/** The responses that are needed. */
export interface RequestedResponses {
  readonly player: boolean;
  readonly watch: boolean;
}

/**
 * Requests media, details and page concurrently. A failure of details or page becomes one of `failures`. If no media is
 * requested, the WEB player is enough, unless it refuses the video.
 *
 * @throws MillraceError with the reason that the video is not available, and with `allowedCountries` if the country is
 * the reason.
 */
export async function fetchVideo(
  innertube: Innertube,
  videoId: string,
  requestedResponses: RequestedResponses,
  context: ExtractionContext,
): Promise<VideoResponses> {
  const { signal } = context;
  const findMedia = () => settle(findPlayer(innertube, videoId, context), signal);
  const page = { videoId, contentCheckOk: true, racyCheckOk: true };
  const [details, media, watch] = await Promise.all([
    settle(requestDetails(innertube, videoId, TIMEOUT_MS), signal),
    requestedResponses.player ? findMedia() : undefined,
    requestedResponses.watch ? settle(innertube.requestLocalised('next', page), signal) : undefined,
  ]);
  const playability = details.value && readPlayability(details.value.response, videoId);
  const refusal = playability?.state === 'refused' ? playability : undefined;
  // If one client reports an age gate, no other client may bypass it.
  if (refusal?.kind === 'age') throw refusal.error;
  const webError = refusal?.kind === 'other_video' || refusal?.kind === 'blocked' ? refusal.error : undefined;
  const web = webError === undefined ? details.value : undefined;
  const player = media ?? (playability === undefined || refusal !== undefined ? await findMedia() : undefined);
  if (player?.failure !== undefined) throw withCountries(player.failure, web?.response, innertube.country);
  return {
    ...(player?.value === undefined ? {} : { player: player.value }),
    ...(web === undefined ? {} : { web }),
    ...(watch?.value === undefined ? {} : { watch: watch.value }),
    failures: [details.failure, webError, watch?.failure].filter((one) => one !== undefined),
    unread: addUnread(unreadIn([refusal?.error]), player?.value?.unread),
  };
}

interface Outcome<T> {
  readonly value?: T;
  readonly failure?: MillraceError;
}

async function settle<T>(response: Promise<T>, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    return { value: await response };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { failure: error };
  }
}

/** Adds the countries where the video is available, unless the current one is among them. */
function withCountries(error: MillraceError, web: Fields | undefined, country: string): MillraceError {
  const availableCountries = list(dig(web, 'microformat', 'playerMicroformatRenderer', 'availableCountries'));
  const allowedCountries = availableCountries
    .filter((one) => typeof one === 'string' && /^[A-Z]{2}$/.test(one))
    .slice(0, 300);
  if (error.code !== 'unavailable' || allowedCountries.length === 0 || allowedCountries.includes(country)) return error;
  return new MillraceError('unavailable', error.message, {
    cause: error,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    detail: { allowedCountries },
  });
}

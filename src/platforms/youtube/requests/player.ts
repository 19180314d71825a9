import { randomBytes } from 'node:crypto';
import { defined, type Fields, isFields } from '../../../parsing/values.ts';
import type { ClientProfile } from '../client-profiles.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import type { Innertube } from './innertube.ts';

/** Members that are requested from the WEB player, whose formats have no links. */
const DETAIL_FIELDS = 'playabilityStatus,videoDetails,microformat,captions,storyboards';

/**
 * Requests a video's details from the WEB player, also in the caller's language.
 *
 * @param timeout Milliseconds.
 */
export function requestDetails(innertube: Innertube, videoId: string, timeout: number): Promise<LocalisedResponse> {
  return innertube.requestLocalised('player', playerBody(innertube.site.web, videoId), {
    fields: DETAIL_FIELDS,
    timeout,
  });
}

/**
 * Requests the player, through the client's endpoint.
 *
 * @param timeout Milliseconds, and the same again if a visitor ID is requested first.
 */
export async function requestPlayer(
  innertube: Innertube,
  videoId: string,
  client: ClientProfile,
  timeout: number,
): Promise<Fields> {
  const options = { client, query: { t: nonce(9), id: videoId }, timeout };
  const playerRequest = { ...playerBody(client, videoId), cpn: nonce(12) };
  if (client.endpoint === 'player') return await innertube.request('player', playerRequest, options);
  const body = { playerRequest, disablePlayerResponse: false };
  const response = await innertube.request('reel/reel_item_watch', body, { ...options, fields: 'playerResponse' });
  // The response to an unknown ID is empty. Any other response without a player has an unknown format.
  return isFields(response.playerResponse) ? response.playerResponse : response;
}

/**
 * Returns the request body for a player. It confirms the warnings of videos that anyone may watch after confirming.
 * This does not open an age gate.
 */
function playerBody({ playerParams }: ClientProfile, videoId: string): Fields {
  return { videoId, contentCheckOk: true, racyCheckOk: true, ...defined({ params: playerParams }) };
}

function nonce(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

import { randomBytes } from 'node:crypto';
import { MillraceError } from '../../../contract/errors.ts';
import { type Fields, fields, isFields } from '../../../parsing/values.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { type Format, readFormats } from '../parse/player/formats.ts';
import { noMediaError, type Playability, readPlayability } from '../parse/player/playability.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { ClientName } from '../site.ts';

/** Milliseconds for one client. Two clients that each need a visitor ID still leave time for later requests. */
const TIMEOUT_MS = 5_000;

/** Members that are requested from the WEB player, whose formats have no links. */
const DETAIL_FIELDS = 'playabilityStatus,videoDetails,microformat,captions,storyboards';

/** A player that can play the video, or that reports when it begins. */
export interface Player {
  readonly client: ClientName;
  readonly response: Fields;
  readonly playability: Exclude<Playability, { readonly state: 'refused' }>;
  readonly formats: readonly Format[];
  /** Why a preferred client returned nothing. */
  readonly failure?: MillraceError;
}

/** Requests a video's details from the WEB player, also in the caller's language. */
export function fetchDetails(innertube: Innertube, videoId: string): Promise<LocalisedResponse> {
  return innertube.requestLocalised('player', playerBody(videoId), { fields: DETAIL_FIELDS, timeout: TIMEOUT_MS });
}

/** Why a client returned nothing. */
interface ClientFailure {
  readonly error: MillraceError;
  /** Whether no other client can succeed. */
  readonly final: boolean;
  /** Whether the visitor was treated as a bot. */
  readonly blocked?: boolean;
}

/**
 * Tries clients one after the other until one can play the video and has files or a playlist. A client that reports the
 * video as closed ends the chain. If a client treats the visitor as a bot, the request is repeated as a new visitor.
 * This happens only once in total, within the time that the first response left.
 *
 * @throws MillraceError the failure of the last client.
 */
export async function findPlayer(innertube: Innertube, videoId: string, signal: AbortSignal): Promise<Player> {
  const failures: MillraceError[] = [];
  let mayRetry = true;
  for (const client of innertube.site.mediaOrder) {
    const started = performance.now();
    let attempt = await tryClient(innertube, videoId, client, TIMEOUT_MS, signal);
    // A client may wait twice for TIMEOUT_MS. The new visitor ID and the second attempt share the remaining time.
    const timeout = Math.floor(TIMEOUT_MS - (performance.now() - started) / 2);
    if ('error' in attempt && attempt.blocked && mayRetry && timeout >= TIMEOUT_MS / 2) {
      mayRetry = false;
      attempt = await tryClient(innertube, videoId, client, timeout, signal);
    }
    if (!('error' in attempt)) return failures[0] === undefined ? attempt : { ...attempt, failure: failures[0] };
    if (attempt.final) throw attempt.error;
    failures.push(attempt.error);
  }
  throw failures.at(-1) ?? noMediaError();
}

async function tryClient(
  innertube: Innertube,
  videoId: string,
  client: ClientName,
  timeout: number,
  signal: AbortSignal,
): Promise<Player | ClientFailure> {
  try {
    const response = await fetchFromClient(innertube, videoId, client, timeout);
    const playability = readPlayability(response, videoId);
    if (playability.state === 'refused') {
      const blocked = playability.kind === 'blocked';
      if (blocked) innertube.dropVisitor(client);
      return { error: playability.error, final: playability.final, blocked };
    }
    const formats = readFormats(response);
    const isEmpty = formats.length === 0 && fields(response.streamingData).hlsManifestUrl === undefined;
    if (playability.state === 'playable' && isEmpty) return { error: noMediaError(), final: false };
    return { client, response, playability, formats };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { error, final: false };
  }
}

/**
 * Requests the player. The ANDROID client's own player requires attestation, but the one for its shorts feed plays any
 * video (seen 2026-07).
 */
async function fetchFromClient(
  innertube: Innertube,
  videoId: string,
  client: ClientName,
  timeout: number,
): Promise<Fields> {
  const options = { client, query: { t: nonce(9), id: videoId }, timeout };
  const playerRequest = { ...playerBody(videoId), cpn: nonce(12) };
  if (client !== 'ANDROID') return await innertube.request('player', playerRequest, options);
  const body = { playerRequest, disablePlayerResponse: false };
  const response = await innertube.request('reel/reel_item_watch', body, { ...options, fields: 'playerResponse' });
  // The response to an unknown ID is empty. Any other response without a player has an unknown format.
  return isFields(response.playerResponse) ? response.playerResponse : response;
}

/**
 * Returns the request body for a player. It confirms the warnings of videos that anyone may watch after confirming.
 * This does not open an age gate.
 */
function playerBody(videoId: string): Fields {
  return { videoId, contentCheckOk: true, racyCheckOk: true };
}

function nonce(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

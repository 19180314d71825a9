import { randomBytes } from 'node:crypto';
import { MillraceError } from '../../../contract/errors.ts';
import { type Fields, fields, isFields } from '../../../parsing/values.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { type Format, readFormats } from '../parse/player/formats.ts';
import { noMediaError, type Playability, readPlayability } from '../parse/player/playability.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { ClientName } from '../site.ts';

/** Milliseconds for one client, so that two with a visitor's id each leave time for what comes after. */
const TIMEOUT_MS = 5_000;

/** Members that are requested of the WEB player; its formats have no links. */
const DETAIL_FIELDS = 'playabilityStatus,videoDetails,microformat,captions,storyboards';

/** A player that would play the video, or that says when it will. */
export interface Player {
  readonly client: ClientName;
  readonly response: Fields;
  readonly playability: Exclude<Playability, { readonly state: 'refused' }>;
  readonly formats: readonly Format[];
  /** Why a client that is preferred to this one gave nothing. */
  readonly failure?: MillraceError;
}

/** Requests the details of a video from the WEB player, also in the caller's language. */
export function fetchDetails(innertube: Innertube, videoId: string): Promise<LocalisedResponse> {
  return innertube.requestLocalised('player', playerBody(videoId), { fields: DETAIL_FIELDS, timeout: TIMEOUT_MS });
}

/** What a client said when it gave nothing. */
interface ClientFailure {
  readonly error: MillraceError;
  /** Whether no other client may succeed. */
  readonly final: boolean;
  /** The visitor was taken for a bot. */
  readonly blocked?: boolean;
}

/**
 * Tries clients one after the other until one would play the video and has files or a playlist of it. A client that
 * says that the video is closed ends the chain. A client that takes the visitor for a bot is tried again as a new
 * visitor, once in all and in the time that its first response has left.
 *
 * @throws MillraceError why there is none, by the last client.
 */
export async function findPlayer(innertube: Innertube, videoId: string, signal: AbortSignal): Promise<Player> {
  const failures: MillraceError[] = [];
  let mayRetry = true;
  for (const client of innertube.site.mediaOrder) {
    const started = performance.now();
    let attempt = await tryClient(innertube, videoId, client, TIMEOUT_MS, signal);
    // A client has two waits of TIMEOUT_MS, of which the new visitor's id and the second word share what is left.
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

/** The ANDROID client's own player wants attestation; the one of its feed of shorts plays any video (seen 2026-07). */
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
  // An unknown id is answered with nothing at all; anything else without a player is a shape that is not known.
  return isFields(response.playerResponse) ? response.playerResponse : response;
}

/** The checks are those of videos that anybody may watch after a word of warning; an age gate stays shut. */
function playerBody(videoId: string): Fields {
  return { videoId, contentCheckOk: true, racyCheckOk: true };
}

function nonce(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

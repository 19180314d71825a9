import { randomBytes } from 'node:crypto';
import { MillraceError } from '../../../contract/errors.ts';
import { defined, type Fields, isFields } from '../../../parsing/values.ts';
import type { ExtractionContext } from '../../platform.ts';
import { addUnread, type UnreadKinds, UnreadResponseError, unreadIn, unreadResponse } from '../../unread.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { noMediaError, type Playability, readPlayability } from '../parse/player/playability.ts';
import { readStreams, type Streams } from '../parse/player/streams.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { InnertubeClient } from '../site.ts';

/** Milliseconds for one client. Two clients that each need a visitor ID still leave time for later requests. */
const TIMEOUT_MS = 5_000;

/** Members that are requested from the WEB player, whose formats have no links. */
const DETAIL_FIELDS = 'playabilityStatus,videoDetails,microformat,captions,storyboards';

/** A player that can play the video, or that reports when it begins. */
export interface Player {
  readonly client: InnertubeClient;
  readonly response: Fields;
  readonly playability: Exclude<Playability, { readonly state: 'refused' }>;
  readonly streams: Streams;
  /** Why a preferred client returned nothing. */
  readonly failure?: MillraceError;
  /** Streams of this client, and parts of the responses of preferred clients, in an unknown format. */
  readonly unread: UnreadKinds;
}

/** Requests a video's details from the WEB player, also in the caller's language. */
export function fetchDetails(innertube: Innertube, videoId: string): Promise<LocalisedResponse> {
  return innertube.requestLocalised('player', playerBody(innertube.site.web, videoId), {
    fields: DETAIL_FIELDS,
    timeout: TIMEOUT_MS,
  });
}

/** The streams of a video that is not live. */
const noStreams: Streams = { formats: [], unread: {} };

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
 * @param context If it names a strategy, only that client is tried.
 * @throws MillraceError the failure of the first client whose response could not be read, or else of the last client.
 */
export async function findPlayer(
  innertube: Innertube,
  videoId: string,
  context: Pick<ExtractionContext, 'strategy' | 'signal'>,
): Promise<Player> {
  const failures: MillraceError[] = [];
  let mayRetry = true;
  const { strategy, signal } = context;
  const { mediaOrder } = innertube.site;
  for (const client of mediaOrder.filter(({ name }) => strategy === undefined || name === strategy)) {
    const started = performance.now();
    let attempt = await tryClient(innertube, videoId, client, TIMEOUT_MS, signal);
    // A client may wait twice for TIMEOUT_MS. The new visitor ID and the second attempt share the remaining time.
    const timeout = Math.floor(TIMEOUT_MS - (performance.now() - started) / 2);
    if ('error' in attempt && attempt.blocked && mayRetry && timeout >= TIMEOUT_MS / 2) {
      mayRetry = false;
      attempt = await tryClient(innertube, videoId, client, timeout, signal);
    }
    if (!('error' in attempt)) {
      const unread = addUnread(unreadIn(failures), attempt.streams.unread);
      return { ...attempt, unread, ...defined({ failure: failures[0] }) };
    }
    if (attempt.final) throw attempt.error;
    failures.push(attempt.error);
  }
  throw failures.find((error) => error instanceof UnreadResponseError) ?? failures.at(-1) ?? noMediaError();
}

async function tryClient(
  innertube: Innertube,
  videoId: string,
  client: InnertubeClient,
  timeout: number,
  signal: AbortSignal,
): Promise<Omit<Player, 'failure' | 'unread'> | ClientFailure> {
  try {
    const response = await fetchFromClient(innertube, videoId, client, timeout);
    const playability = readPlayability(response, videoId);
    if (playability.state === 'refused') {
      const blocked = playability.kind === 'blocked';
      if (blocked) innertube.dropVisitor(client);
      return { error: playability.error, final: playability.final, blocked };
    }
    if (playability.state === 'offline') return { client, response, playability, streams: noStreams };
    const streams = readStreams(response);
    if (streams.formats.length > 0 || streams.hlsUrl !== undefined) return { client, response, playability, streams };
    const isUnread = Object.keys(streams.unread).length > 0;
    const error = isUnread ? unreadResponse('YouTube returned the streams', streams.unread) : noMediaError();
    return { error, final: false };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { error, final: false };
  }
}

/** Requests the player, through the client's endpoint. */
async function fetchFromClient(
  innertube: Innertube,
  videoId: string,
  client: InnertubeClient,
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
function playerBody({ playerParams }: InnertubeClient, videoId: string): Fields {
  return { videoId, contentCheckOk: true, racyCheckOk: true, ...defined({ params: playerParams }) };
}

function nonce(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

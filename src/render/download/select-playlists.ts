import { MillraceError } from '../../contract/errors.ts';
import { withHeaders } from '../../egress/credentials.ts';
import { type BufferedResponse, fetchBody, type HoldBytes } from '../../egress/fetch-body.ts';
import type { MasterPlaylist, Rendition, Variant } from '../../hls/master-playlist.ts';
import type { MediaPlaylist } from '../../hls/media-playlist.ts';
import { type Playlist, parsePlaylist } from '../../hls/playlist.ts';
import type { PlaylistVariables } from '../../hls/variables.ts';
import { nonMediaKind } from '../../parsing/content-sniffing.ts';
import { createConcurrencyLimit } from '../../waiting/concurrency-limit.ts';
import { runInTurns } from '../../waiting/steps.ts';
import { awaitEnd } from './await-end.ts';
import { chooseRenditions } from './choose-renditions.ts';
import { playlistBytes, unparsedBytes } from './playlist-memory.ts';
import { hasPicture, rankVariants } from './rank-variants.ts';
import { createRetryBudget } from './retry-budget.ts';
import { childSource, isWebPage, notMediaError, requestFor, type Source, statusError } from './source-request.ts';

const MAX_PLAYLIST_BYTES = 8 * 1024 * 1024;

/** How often, and for how long, a playlist waits for memory, with its text. */
const MAX_MEMORY_WAITS = 40;
const MEMORY_WAIT_MS = 500;

/** Playlists that are parsed concurrently: of all owners, and of one. Their sizes are known only when they are parsed. */
const parses = createConcurrencyLimit(2, 1);

/** Maximum number of variants of which the playlists are fetched to find one without gaps. */
const MAX_VARIANTS_TRIED = 8;

/** How playlists are selected. */
export interface PlaylistChoice {
  /** Whether the result can store a video codec. Default: it can store all. */
  readonly stores?: ((codec: string) => boolean) | undefined;
  /** Number of target durations for which a playlist without an end must not change. */
  readonly unchangedTargets?: number;
}

/** A media playlist that is selected for download. */
export interface SelectedPlaylist {
  readonly media: MediaPlaylist;
  /** Language tag of separate audio, if the master playlist states it. */
  readonly language?: string;
  /** Its variant in the master playlist, including separate audio; only on the first playlist. */
  readonly variant?: Variant;
  /** Renditions of the master playlist that are not fetched; only on the first playlist. */
  readonly skippedRenditions?: readonly Rendition[];
  /** The best variant, if it has gaps and this one has none; only on the first playlist. */
  readonly variantWithGaps?: Variant;
}

/**
 * Fetches a playlist. For a master playlist, fetches the media playlist of the best variant that has no gaps, or else of
 * the best one, and that of its audio if it is separate. The link of the source is not replaced: `playlist-links.ts`
 * does that.
 *
 * @throws MillraceError `source_unsupported` for a playlist that cannot become a file; retryable for a live stream that
 * has not ended.
 */
export async function selectPlaylists(source: Source, choice: PlaylistChoice = {}): Promise<SelectedPlaylist[]> {
  const first = await fetchPlaylist(source);
  if (first.kind === 'media') {
    const playlist = { media: await requireRenderable(source, first, () => fetchPlaylist(source), choice) };
    if (!hasSegments(playlist)) throw unsupportedError(source, 'a playlist with missing segments only');
    return [playlist];
  }
  const [best, ...others] = rankVariants(first.variants, choice.stores ?? (() => true));
  if (best === undefined) throw unsupportedError(source, 'a playlist without variants');
  const playlists = await fetchVariant(source, first, best, choice);
  if (!playlists.some(hasGaps)) return playlists;
  const alternatives = others.filter((variant) => hasPicture(variant) === hasPicture(best));
  for (const variant of alternatives.slice(0, MAX_VARIANTS_TRIED - 1)) {
    const [video, ...audio] = await fetchAlternative(source, first, variant, choice);
    if (video === undefined) continue;
    if ([video, ...audio].some(hasGaps)) {
      for (const { media } of [video, ...audio]) source.playlists.release(media);
      continue;
    }
    return [{ ...video, variantWithGaps: best }, ...audio];
  }
  if (!playlists.every(hasSegments)) throw unsupportedError(source, 'a playlist with missing segments only');
  return playlists;
}

/** Returns the playlists of a variant that is not required; none if they cannot be fetched or used. */
async function fetchAlternative(...parameters: Parameters<typeof fetchVariant>): Promise<SelectedPlaylist[]> {
  const [{ signal }] = parameters;
  try {
    return await fetchVariant(...parameters);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function fetchVariant(
  source: Source,
  master: MasterPlaylist,
  variant: Variant,
  choice: PlaylistChoice,
): Promise<SelectedPlaylist[]> {
  const { audioUrl, audioLanguage, skippedRenditions } = chooseRenditions(master, variant, source.language);
  const fetchMedia = async (url: string): Promise<MediaPlaylist> => {
    const fetch = () => fetchPlaylist(childSource(source, url), master.variables);
    return await requireRenderable(source, await fetch(), fetch, choice);
  };
  const video = { media: await fetchMedia(variant.url), variant, skippedRenditions };
  if (audioUrl === undefined) return [video];
  const audio = await fetchMedia(audioUrl);
  return [video, { media: audio, ...(audioLanguage === undefined ? {} : { language: audioLanguage }) }];
}

function hasGaps({ media }: SelectedPlaylist): boolean {
  return media.segments.some(({ gap }) => gap);
}

function hasSegments({ media }: SelectedPlaylist): boolean {
  return media.segments.some(({ gap }) => !gap);
}

/** Fetches and parses a playlist, which takes memory until its input ends or it is released. */
async function fetchPlaylist(source: Source, imported: PlaylistVariables = {}): Promise<Playlist> {
  const hold = source.playlists.open();
  try {
    const response = await fetchText(source, hold);
    const expected = await runInTurns(unparsedBytes(response), source.signal);
    await waitForMemory(source, () => hold(expected));
    const parse = () => parseResponse(source, response, imported);
    const playlist = await parses.run(parse, source.signal, source.caller.account);
    hold(playlistBytes(playlist));
    return playlist;
  } catch (error) {
    hold(0);
    throw error;
  }
}

/** Fetches the text of a playlist, with retries. */
async function fetchText(source: Source, hold: HoldBytes): Promise<BufferedResponse> {
  const retryBudget = createRetryBudget(source);
  const request = requestFor(source, source.link.current, { from: 0 });
  const decodable = { ...request, headers: withHeaders(request.headers, { 'accept-encoding': 'gzip, deflate, br' }) };
  for (;;) {
    try {
      const response = await fetchBody(source.egress, decodable, MAX_PLAYLIST_BYTES, hold);
      if (response.status !== 200) throw statusError(source, response);
      retryBudget.recordProgress();
      return response;
    } catch (error) {
      hold(0);
      await retryBudget.waitBeforeRetry(error);
    }
  }
}

/**
 * Takes memory. Waits until other downloads have given back as much.
 *
 * @throws MillraceError `service_unavailable` if that takes too long; the signal's reason.
 */
async function waitForMemory({ pause, signal }: Source, take: () => void): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    try {
      take();
      return;
    } catch (error) {
      if (waits === MAX_MEMORY_WAITS) throw error;
      await pause(MEMORY_WAIT_MS, signal);
    }
  }
}

async function parseResponse(
  source: Source,
  { body, url, headers }: BufferedResponse,
  imported: PlaylistVariables,
): Promise<Playlist> {
  const text = body.toString();
  if (!text.replace(/^\uFEFF/, '').startsWith('#EXTM3U')) {
    if (isWebPage(headers) || nonMediaKind(body) === 'a web page') throw notMediaError(source, url, 'a web page');
    throw new MillraceError(
      'source_unsupported',
      `${source.name} is not an HLS playlist, although its ext is m3u8. Correct its ext or its link.`,
    );
  }
  try {
    return await runInTurns(parsePlaylist(text, url, {}, imported), source.signal);
  } catch (error) {
    source.signal.throwIfAborted();
    const reason = error instanceof MillraceError ? error.message : 'it is malformed.';
    throw new MillraceError('source_unsupported', `The playlist of ${source.name} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

/** Returns a media playlist that is complete. `fetch` fetches it again. */
async function requireRenderable(
  source: Source,
  playlist: Playlist,
  fetch: () => Promise<Playlist>,
  { unchangedTargets }: PlaylistChoice,
): Promise<MediaPlaylist> {
  if (playlist.kind === 'master') throw unsupportedError(source, 'a master playlist inside another');
  const complete = await awaitEnd(source, playlist, fetch, unchangedTargets);
  if (complete === undefined) throw liveStreamError(source);
  if (complete.endsBeforeUri && !complete.endList) {
    throw new MillraceError(
      'download_incomplete',
      `${source.name} could not be fetched completely: its playlist ends before the address of a segment. Start the same job again.`,
    );
  }
  if (complete.segments.length === 0) throw unsupportedError(source, 'a playlist without segments');
  if (complete.iFramesOnly) throw unsupportedError(source, 'a playlist of single frames');
  return complete;
}

/**
 * Returns a retryable error, unlike other unsupported playlists: the same link leads to a complete playlist after the
 * stream has ended.
 */
function liveStreamError({ name }: Source): MillraceError {
  const message = `${name} is a live stream that has not ended. Start the job again after it ends.`;
  return new MillraceError('source_unsupported', message, { retryable: true });
}

function unsupportedError(source: Source, what: string): MillraceError {
  return new MillraceError(
    'source_unsupported',
    `${source.name} is ${what}, which cannot be rendered. Use another source.`,
  );
}

import { MillraceError } from '../../contract/errors.ts';
import { withHeaders } from '../../egress/credentials.ts';
import { type BufferedResponse, fetchBody } from '../../egress/fetch-body.ts';
import type { MasterPlaylist, Rendition, Variant } from '../../hls/master-playlist.ts';
import type { MediaPlaylist } from '../../hls/media-playlist.ts';
import { type Playlist, parsePlaylist } from '../../hls/playlist.ts';
import type { PlaylistVariables } from '../../hls/variables.ts';
import { nonMediaKind } from '../../parsing/content-sniffing.ts';
import { chooseRenditions } from './choose-renditions.ts';
import { createRetryBudget } from './retry-budget.ts';
import { childSource, isWebPage, notMediaError, requestFor, type Source, statusError } from './source-request.ts';

const MAX_PLAYLIST_BYTES = 8 * 1024 * 1024;

/** A media playlist that is selected for download. */
export interface SelectedPlaylist {
  readonly media: MediaPlaylist;
  /** Language tag of separate audio, if the master playlist states it. */
  readonly language?: string;
  /** Its variant in the master playlist, including separate audio; only on the first playlist. */
  readonly variant?: Variant;
  /** Renditions of the master playlist that are not fetched; only on the first playlist. */
  readonly skippedRenditions?: readonly Rendition[];
}

/**
 * Fetches a playlist. For a master playlist, fetches the media playlist of the best quality, and that of its audio if
 * it is separate. The link of the source is not replaced: `playlist-links.ts` does that.
 *
 * @throws MillraceError `source_unsupported` for a playlist that cannot become a file; retryable for a live stream that
 * has not ended.
 */
export async function selectPlaylists(source: Source): Promise<SelectedPlaylist[]> {
  const first = await fetchPlaylist(source);
  if (first.kind === 'media') return [{ media: requireRenderable(source, first) }];
  const variant = bestVariant(source, first);
  const { audioUrl, audioLanguage, skippedRenditions } = chooseRenditions(first, variant, source.language);
  const playlists: SelectedPlaylist[] = [];
  for (const url of audioUrl === undefined ? [variant.url] : [variant.url, audioUrl]) {
    const playlist = await fetchPlaylist(childSource(source, url), first.variables);
    if (playlist.kind === 'master') throw unsupportedError(source, 'a master playlist inside another');
    const ofAudio = audioLanguage === undefined ? {} : { language: audioLanguage };
    const details = playlists.length === 0 ? { variant, skippedRenditions } : ofAudio;
    playlists.push({ media: requireRenderable(source, playlist), ...details });
  }
  return playlists;
}

async function fetchPlaylist(source: Source, imported: PlaylistVariables = {}): Promise<Playlist> {
  const retryBudget = createRetryBudget(source);
  const request = requestFor(source, source.link.current, { from: 0 });
  const decodable = { ...request, headers: withHeaders(request.headers, { 'accept-encoding': 'gzip, deflate, br' }) };
  for (;;) {
    try {
      const response = await fetchBody(source.egress, decodable, MAX_PLAYLIST_BYTES);
      if (response.status !== 200) throw statusError(source, response);
      retryBudget.recordProgress();
      return parseResponse(source, response, imported);
    } catch (error) {
      await retryBudget.waitBeforeRetry(error);
    }
  }
}

function parseResponse(
  source: Source,
  { body, url, headers }: BufferedResponse,
  imported: PlaylistVariables,
): Playlist {
  const text = body.toString();
  if (!text.replace(/^\uFEFF/, '').startsWith('#EXTM3U')) {
    if (isWebPage(headers) || nonMediaKind(body) === 'a web page') throw notMediaError(source, url, 'a web page');
    throw new MillraceError(
      'source_unsupported',
      `${source.name} is not an HLS playlist, although its ext is m3u8. Correct its ext or its link.`,
    );
  }
  try {
    return parsePlaylist(text, url, {}, imported);
  } catch (error) {
    const reason = error instanceof MillraceError ? error.message : 'it is malformed.';
    throw new MillraceError('source_unsupported', `The playlist of ${source.name} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

function bestVariant(source: Source, { variants }: MasterPlaylist): Variant {
  const [best] = variants.toSorted((a, b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
  if (best === undefined) throw unsupportedError(source, 'a playlist without variants');
  return best;
}

function requireRenderable(source: Source, playlist: MediaPlaylist): MediaPlaylist {
  const { segments, endList } = playlist;
  if (!endList) throw liveStreamError(source);
  if (segments.length === 0) throw unsupportedError(source, 'a playlist without segments');
  if (playlist.iFramesOnly) throw unsupportedError(source, 'a playlist of single frames');
  if (segments.some(({ gap }) => gap)) throw unsupportedError(source, 'a playlist with missing segments');
  return playlist;
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

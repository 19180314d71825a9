import type { Exchange } from '../http/exchange.ts';
import { segmentSeconds } from '../media/recipes.ts';
import { fullTrack, parseRendition, parseTrack, type Rendition, type Title } from '../media/titles.ts';
import { textContent } from './content.ts';
import { FaultError } from './faults.ts';
import { type MasterKind, masterKind, masterVariants, playlistKind } from './hls-catalogue.ts';
import { trackFile } from './hls-files.ts';
import { languageRenditions } from './hls-languages.ts';
import { trackSegments } from './hls-segments.ts';
import {
  masterPlaylist,
  mediaPlaylist,
  type PlaylistState,
  playlistType,
  type Segment,
  segmentLengths,
  segmentQuery,
  variantQuery,
} from './playlist.ts';
import { linkToken, type Tokens } from './tokens.ts';
import { type CdnTools, notFound, sendOfTitle } from './tools.ts';

/** Serves the paths below `/hls/<title>/`: master playlists, and the playlists and files of tracks. */
export async function sendHls(
  exchange: Exchange,
  tools: CdnTools,
  title: Title,
  [first = '', ...rest]: readonly string[],
): Promise<void> {
  const name = rest.join('/');
  const master = masterKind(first);
  if (master !== undefined && name === '') return sendMaster(exchange, tools, title, master);
  const track = parseTrack(first);
  if (track === undefined) return notFound(exchange);
  const kind = playlistKind(name);
  if (kind === undefined) {
    return sendOfTitle(exchange, tools, title, (each) => trackFile(tools.cache, each, track, name));
  }
  const segments = await trackSegments(tools.cache, kind, { title, track, query: exchange.url.searchParams });
  await sendPlaylist(exchange, tools, segments);
}

/** Serves the media playlist of a whole title in MPEG-TS. `link` makes a segment's link from its number. */
export async function sendIndex(
  exchange: Exchange,
  tools: CdnTools,
  title: Title,
  link: (number: number) => string,
): Promise<void> {
  const query = exchange.url.searchParams;
  const segments = segmentLengths(title.seconds, segmentSeconds).map((seconds, index) => ({
    url: `${link(index + 1)}${segmentQuery(query, index + 1)}`,
    seconds,
  }));
  await sendPlaylist(exchange, tools, segments);
}

/** Serves a segment of a title by its file name, such as `seg-00001.ts`. */
export function sendSegment(
  exchange: Exchange,
  tools: CdnTools,
  title: Title,
  rendition: Rendition,
  name: string,
): Promise<void> {
  return sendOfTitle(exchange, tools, title, (each) => trackFile(tools.cache, each, fullTrack(rendition), name));
}

/**
 * Returns the bits per second that playlists declare for a height. The value is higher than the bit rate of any
 * segment, except those of the look `giant`.
 */
export function bandwidth(height: number): number {
  return 300_000 + (height * height * 3) / 2;
}

async function sendPlaylist(exchange: Exchange, tools: CdnTools, segments: readonly Segment[]): Promise<void> {
  const { state, requests } = playlistState(exchange.url, tools.tokens);
  const longer = longerBy(exchange.url.searchParams);
  const declaredSegments = segments.map((segment) => ({ ...segment, seconds: segment.seconds + longer }));
  const playlist =
    state === 'open'
      ? mediaPlaylist(movedWindow(declaredSegments, requests), state, requests)
      : mediaPlaylist(declaredSegments, state);
  await tools.send(exchange, textContent(playlist, playlistType));
}

/** Returns the segments that a live playlist lists at its nth request: half of them, one further each time. */
function movedWindow(segments: readonly Segment[], requests: number): Segment[] {
  return Array.from({ length: Math.ceil(segments.length / 2) }, (_, index) => {
    return segments[(requests - 1 + index) % segments.length];
  }).filter((segment) => segment !== undefined);
}

function longerBy(query: URLSearchParams): number {
  const text = query.get('longer') ?? '0';
  if (!/^\d(\.\d)?$/.test(text)) throw new FaultError(`longer=${text} must be a number like 1 or 0.9.`);
  return Number(text);
}

/** Returns the state of a playlist, and the number of requests for it with its token. */
function playlistState(url: URL, tokens: Tokens): { readonly state: PlaylistState; readonly requests: number } {
  const end = url.searchParams.get('liveEnd');
  const { requests } = tokens.touch(`live ${linkToken(url)} ${url.pathname}`);
  if (end === null) return { state: url.searchParams.get('live') === '1' ? 'open' : 'whole', requests };
  if (!/^[1-9]\d{0,3}$/.test(end)) throw new FaultError(`liveEnd=${end} must be a whole number from 1 to 9999.`);
  return { state: requests < Number(end) ? 'open' : 'ended', requests };
}

async function sendMaster(
  exchange: Exchange,
  { send }: CdnTools,
  title: Title,
  { playlist, separate, languages }: MasterKind,
): Promise<void> {
  const query = variantQuery(exchange.url.searchParams);
  const variants = masterVariants.flatMap((name) => {
    const rendition = parseRendition(name);
    if (rendition === undefined) return [];
    const { width, height, rate } = rendition;
    const attributes = {
      BANDWIDTH: bandwidth(height),
      CODECS: '"avc1.64001f,mp4a.40.2"',
      RESOLUTION: `${width}x${height}`,
      'FRAME-RATE': rate.toFixed(3),
      ...(separate ? { AUDIO: '"sound"' } : {}),
      ...(languages ? { SUBTITLES: '"text"', 'CLOSED-CAPTIONS': '"captions"' } : {}),
    };
    return [{ url: `${separate ? 'video-' : ''}${name}/${playlist}${query}`, attributes }];
  });
  const sound = {
    TYPE: 'AUDIO',
    'GROUP-ID': '"sound"',
    NAME: '"Tone"',
    DEFAULT: 'YES',
    AUTOSELECT: 'YES',
    URI: `"audio/${playlist}${query}"`,
  };
  const soundOf = ({ name }: Title) => `../${name}/audio/${playlist}${query}`;
  const media = [...(separate ? [sound] : []), ...(languages ? languageRenditions(title, soundOf) : [])];
  await send(exchange, textContent(masterPlaylist(variants, media), playlistType));
}

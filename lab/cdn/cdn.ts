import path from 'node:path';
import { type Exchange, type Handler, sendText } from '../http/exchange.ts';
import type { MediaCache } from '../media/cache.ts';
import { hlsSegments, mediaFile, segmentSeconds } from '../media/recipes.ts';
import { parseRendition, parseTitle, type Rendition, type Title } from '../media/titles.ts';
import { fileContent, textContent } from './content.ts';
import {
  masterPlaylist,
  mediaPlaylist,
  playlistType,
  segmentLengths,
  segmentName,
  segmentQuery,
  variantQuery,
} from './playlist.ts';
import type { SendContent } from './send.ts';

/** What a CDN host serves with: made media, and the sender that knows the faults. */
export interface CdnTools {
  readonly cache: MediaCache;
  readonly send: SendContent;
}

/** The rungs of every title's master playlist. */
export const masterRungs = ['180', '360', '720'] as const;

const contentPath = /^\/(media|hls)\/([a-z]+-\d+)\/([\w.-]+)(?:\/([\w.-]+))?$/;

/** The lab's own CDN: `/media/<title>/<file>` and `/hls/<title>/…`. */
export function cdnHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const [, area, titleName, first, second] = contentPath.exec(exchange.url.pathname) ?? [];
    const title = titleName === undefined ? undefined : parseTitle(titleName);
    if (title === undefined || first === undefined) return notFound(exchange);
    if (area === 'media' && second === undefined) return sendMedia(exchange, tools, title, first);
    if (area === 'hls' && second === undefined && first === 'master.m3u8') return sendMaster(exchange, tools);
    const rendition = parseRendition(first);
    if (area !== 'hls' || second === undefined || rendition === undefined) return notFound(exchange);
    if (second === 'index.m3u8') return sendIndex(exchange, tools, title, segmentName);
    return sendSegment(exchange, tools, title, rendition, second);
  };
}

/** Serves a file of a title. */
export async function sendMedia(
  exchange: Exchange,
  { cache, send }: CdnTools,
  title: Title,
  name: string,
): Promise<void> {
  const file = mediaFile(title, name);
  if (file === undefined) return notFound(exchange);
  await send(exchange, await fileContent(await cache.path(file.recipe), file.type));
}

/** Serves the media playlist of a whole title, without its end for `live=1`. `link` makes a segment's link of its number. */
export async function sendIndex(
  exchange: Exchange,
  { send }: CdnTools,
  title: Title,
  link: (number: number) => string,
): Promise<void> {
  const query = exchange.url.searchParams;
  const segments = segmentLengths(title.seconds, segmentSeconds).map((seconds, index) => ({
    url: `${link(index + 1)}${segmentQuery(query, index + 1)}`,
    seconds,
  }));
  const first = query.get('live') === '1' ? 1 : undefined;
  await send(exchange, textContent(mediaPlaylist(segments, first), playlistType));
}

/** Serves a segment of a title by its file's name, such as `seg-00001.ts`. */
export async function sendSegment(
  exchange: Exchange,
  { cache, send }: CdnTools,
  title: Title,
  rendition: Rendition,
  name: string,
): Promise<void> {
  const number = Number(/^seg-(\d{5})\.ts$/.exec(name)?.[1] ?? 0);
  if (number < 1 || number > segmentLengths(title.seconds, segmentSeconds).length) return notFound(exchange);
  const folder = await cache.path(hlsSegments(title, rendition));
  await send(exchange, await fileContent(path.join(folder, segmentName(number)), 'video/mp2t'));
}

/** Answers 404. */
export function notFound(exchange: Exchange): void {
  sendText(exchange, 404, `There is no ${exchange.url.pathname} on ${exchange.host}.\n`);
}

async function sendMaster(exchange: Exchange, { send }: CdnTools): Promise<void> {
  const query = variantQuery(exchange.url.searchParams);
  const rungs = masterRungs.flatMap((name) => {
    const rendition = parseRendition(name);
    if (rendition === undefined) return [];
    const { width, height, rate } = rendition;
    const attributes = {
      BANDWIDTH: bandwidth(height),
      CODECS: '"avc1.64001f,mp4a.40.2"',
      RESOLUTION: `${width}x${height}`,
      'FRAME-RATE': rate.toFixed(3),
    };
    return [{ url: `${name}/index.m3u8${query}`, attributes }];
  });
  await send(exchange, textContent(masterPlaylist(rungs), playlistType));
}

/** Bits a second that playlists declare for a height: more than any segment of the plain looks has. */
export function bandwidth(height: number): number {
  return 300_000 + (height * height * 3) / 2;
}

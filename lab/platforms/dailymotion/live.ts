import { textContent } from '../../cdn/content.ts';
import { sendSegment } from '../../cdn/hls.ts';
import { mediaPlaylist, playlistType, segmentLengths, segmentName } from '../../cdn/playlist.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Handler, sendText } from '../../http/exchange.ts';
import { segmentSeconds } from '../../media/recipes.ts';
import { parseRendition } from '../../media/titles.ts';
import { findVideo, type Video } from './catalogue.ts';
import { liveSignature } from './manifest.ts';
import { rung } from './rungs.ts';

/** Segments that a live playlist shows at a time. */
const windowSegments = 6;

const filePath =
  /^\/sec2\((?<token>[\w-]+)\)\/dm\/3\/(?<id>x[0-9a-z]+)\/d\/live-(?<name>[\d@]+)(?:\.m3u8|-(?<segment>\d{1,12})\.ts)$/;

/**
 * The CDN of live streams. The stream began at the epoch and plays its title over and over, so what its playlist shows
 * follows from the clock alone (`now`, in milliseconds).
 */
export function liveHandler(tools: CdnTools, now: () => number = Date.now): Handler {
  return async (exchange) => {
    const { token, id = '', name, segment } = filePath.exec(exchange.url.pathname)?.groups ?? {};
    const video = findVideo(id);
    const known = video?.live ? video.rungs.find((each) => each === name) : undefined;
    const rendition = known === undefined ? undefined : parseRendition(rung(known).rendition);
    if (video === undefined || rendition === undefined) return notFound(exchange);
    if (token !== liveSignature(video, exchange.host)) return sendText(exchange, 403, 'Forbidden.\n');
    const lengths = segmentLengths(video.title.seconds, segmentSeconds);
    if (segment !== undefined) {
      const place = Number(segment) % lengths.length;
      return sendSegment(exchange, tools, video.title, rendition, segmentName(place + 1));
    }
    await tools.send(exchange, textContent(livePlaylist(video, `live-${name}`, now()), playlistType));
  };
}

/** What a live playlist shows at a moment. */
export function livePlaylist({ title }: Video, stem: string, now: number): string {
  const lengths = segmentLengths(title.seconds, segmentSeconds);
  const first = Math.floor(now / 1000 / segmentSeconds) - windowSegments;
  const segments = Array.from({ length: windowSegments }, (_, index) => {
    const place = (first + index) % lengths.length;
    return {
      url: `${stem}-${first + index}.ts`,
      seconds: lengths[place] ?? segmentSeconds,
      discontinuity: place === 0,
    };
  });
  return mediaPlaylist(segments, 'open', first);
}

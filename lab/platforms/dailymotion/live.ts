import { textContent } from '../../cdn/content.ts';
import { sendSegment } from '../../cdn/hls.ts';
import { livePlaylist, liveSegmentName } from '../../cdn/live-playlist.ts';
import { playlistType } from '../../cdn/playlist.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Handler, sendText } from '../../http/exchange.ts';
import { parseRendition } from '../../media/titles.ts';
import { findVideo } from './catalogue.ts';
import { liveSignature } from './manifest.ts';
import { variant } from './variants.ts';

const filePath =
  /^\/sec2\((?<token>[\w-]+)\)\/dm\/3\/(?<id>x[0-9a-z]+)\/d\/live-(?<name>[\d@]+)(?:\.m3u8|-(?<segment>\d{1,12})\.ts)$/;

/** Handles the CDN of live streams; `now` in milliseconds. */
export function liveHandler(tools: CdnTools, now: () => number = Date.now): Handler {
  return async (exchange) => {
    const { token, id = '', name, segment } = filePath.exec(exchange.url.pathname)?.groups ?? {};
    const video = findVideo(id);
    const liveVariant = video?.live ? video.variants.find((each) => each === name) : undefined;
    const rendition = liveVariant === undefined ? undefined : parseRendition(variant(liveVariant).rendition);
    if (video === undefined || rendition === undefined) return notFound(exchange);
    if (token !== liveSignature(video, exchange.host)) return sendText(exchange, 403, 'Forbidden.\n');
    if (segment !== undefined) {
      return sendSegment(exchange, tools, video.title, rendition, liveSegmentName(video.title, Number(segment)));
    }
    const playlist = livePlaylist(video.title, (number) => `live-${name}-${number}.ts`, now());
    await tools.send(exchange, textContent(playlist, playlistType));
  };
}

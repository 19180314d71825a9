import { sendMedia } from '../../cdn/cdn.ts';
import { bytesContent, textContent } from '../../cdn/content.ts';
import { bandwidth, sendIndex, sendSegment } from '../../cdn/hls.ts';
import { masterPlaylist, playlistType, segmentName } from '../../cdn/playlist.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import type { Exchange, Handler } from '../../http/exchange.ts';
import { parseRendition } from '../../media/titles.ts';
import { topicOf } from '../headlines.ts';
import { illustration } from '../illustrations.ts';
import { openSignature, pixels, sizes } from './addresses.ts';
import { gifOf, pngOf } from './generated-images.ts';
import { type Pin, pictureOf, upload } from './pins.ts';

/** Heights of a video's playlists. */
const variants = ['240', '480', '720', '1080'] as const;

const picturePath = /^\/(originals|\d+x\d*)\/(\w\w)\/(\w\w)\/(\w\w)\/([0-9a-f]{32})\.(jpg|png|gif)$/;
const thumbnailPath = /^\/videos\/thumbnails\/originals\/\w\w\/\w\w\/\w\w\/([0-9a-f]{32})\.0000000\.jpg$/;
const videoPath =
  /^\/videos\/iht\/(720p|hls)\/\w\w\/\w\w\/\w\w\/([0-9a-f]{32})(?:_(\d+)w(?:-(seg-\d{5}\.ts))?)?(?:\.(mp4|m3u8))?$/;

/** Handles `i.pinimg.com`: images with exactly the pixels that the site declares. */
export function pictureHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const { pathname } = exchange.url;
    const [, thumbnailSignature = ''] = thumbnailPath.exec(pathname) ?? [];
    const thumbnail = openSignature(thumbnailSignature);
    if (thumbnail !== undefined)
      return sendMedia(
        exchange,
        tools,
        thumbnail.pin.media,
        illustration(thumbnailSignature, upload, topicOf(thumbnail.pin.id)),
      );
    const [, folder = '', ...rest] = picturePath.exec(pathname) ?? [];
    const [a, b, c, signature = '', ending] = rest;
    const place = openSignature(signature);
    const picture = place && pictureOf(place.pin, place.number);
    const name = folder === 'originals' ? 'orig' : folder;
    const right =
      signature.startsWith(`${a}${b}${c}`) &&
      (name === 'orig' ? ending === picture?.ending : ending === 'jpg' && sizes.some((size) => size.name === name));
    if (place === undefined || picture === undefined || !right) return notFound(exchange);
    const size = pixels(picture, name);
    if (ending === 'png') return tools.send(exchange, bytesContent(pngOf(size), 'image/png'));
    if (ending === 'gif') return tools.send(exchange, bytesContent(gifOf(size), 'image/gif'));
    await sendMedia(exchange, tools, place.pin.media, illustration(signature, size, topicOf(place.pin.id)));
  };
}

/** Handles `v1.pinimg.com`: videos as files and playlists, music, captions. */
export function videoHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const { pathname } = exchange.url;
    const [, place, signature = '', height, segment, ending] = videoPath.exec(pathname) ?? [];
    const source = openSignature(signature);
    if (source === undefined) return sendOther(exchange, tools);
    const { media } = source.pin;
    if (place === '720p' && ending === 'mp4') return sendMedia(exchange, tools, media, 'movie-720.mp4');
    if (place !== 'hls') return notFound(exchange);
    if (height === undefined) return tools.send(exchange, textContent(master(signature), playlistType));
    const rendition = variants.some((variant) => variant === height) ? parseRendition(height) : undefined;
    if (rendition === undefined) return notFound(exchange);
    if (segment !== undefined) return sendSegment(exchange, tools, media, rendition, segment);
    await sendIndex(exchange, tools, media, (number) => `${signature}_${height}w-${segmentName(number)}`);
  };
}

/** Handles `s.pinimg.com`: the default image of users, in three sizes. */
export function avatarHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const side = Number(/^\/images\/user\/default_(30|75|140)\.png$/.exec(exchange.url.pathname)?.[1]);
    if (Number.isNaN(side)) return notFound(exchange);
    await tools.send(exchange, bytesContent(pngOf({ width: side, height: side }), 'image/png'));
  };
}

async function sendOther(exchange: Exchange, tools: CdnTools): Promise<void> {
  const [, area, signature = '', language] =
    /^\/(audio|videos\/captions)\/([0-9a-f]{32})(?:_([a-z-]+))?\.(?:m4a|vtt)$/.exec(exchange.url.pathname) ?? [];
  const pin = openSignature(signature)?.pin;
  if (pin === undefined) return notFound(exchange);
  if (area === 'audio') return sendMedia(exchange, tools, pin.media, 'sound.m4a');
  await tools.send(exchange, textContent(captions(pin, language ?? ''), 'text/vtt'));
}

function master(signature: string): string {
  return masterPlaylist(
    variants.flatMap((height) => {
      const rendition = parseRendition(height);
      if (rendition === undefined) return [];
      const attributes = {
        BANDWIDTH: bandwidth(rendition.height),
        CODECS: '"avc1.64001f,mp4a.40.2"',
        RESOLUTION: `${rendition.width}x${rendition.height}`,
      };
      return [{ url: `${signature}_${height}w.m3u8`, attributes }];
    }),
  );
}

function captions({ seconds }: Pin, language: string): string {
  return `WEBVTT\n\n00:00.000 --> 00:0${seconds}.000\n[${language}] A line.\n`;
}

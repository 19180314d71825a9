import { sendMedia } from '../../cdn/cdn.ts';
import { textContent } from '../../cdn/content.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import type { Handler } from '../../http/exchange.ts';
import { heights } from '../../media/titles.ts';
import { findVideo } from './catalogue.ts';

/**
 * Handles the hosts of images and subtitles: `/v/<id>/x720`, `/1/<id>/1280x720f`, `/s/<id>/subtitle_en.srt` and similar
 * paths.
 */
export function pictureHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const [, area, id = '', rest = ''] = /^\/(\w)\/(x[0-9a-z]+)(?:\/([\w.]+))?$/.exec(exchange.url.pathname) ?? [];
    const video = findVideo(id);
    if (video === undefined) return notFound(exchange);
    if (area === 's') {
      const language = /^subtitle_([a-z]{2})\.srt$/.exec(rest)?.[1];
      if (language === undefined || !video.subtitles?.includes(language)) return notFound(exchange);
      return tools.send(exchange, textContent(subtitles(language, video.seconds), 'application/x-subrip'));
    }
    const requestedHeight = Number(/^(?:\d*)x(\d{2,4})f?$/.exec(rest)?.[1] ?? 360);
    const height = heights.find((each) => each >= requestedHeight) ?? 1080;
    await sendMedia(exchange, tools, video.title, `still-${height}.jpg`);
  };
}

/** Returns subtitles with one line every two seconds. */
function subtitles(language: string, seconds: number): string {
  return Array.from({ length: Math.floor(seconds / 2) }, (_, index) => {
    const [from, to] = [clock(index * 2), clock(index * 2 + 2)];
    return `${index + 1}\n${from} --> ${to}\n[${language}] Line ${index + 1}\n`;
  }).join('\n');
}

function clock(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)},000`;
}

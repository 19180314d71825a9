import { sendMedia } from '../../cdn/cdn.ts';
import { textContent } from '../../cdn/content.ts';
import { subRip } from '../../cdn/sub-rip.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import type { Handler } from '../../http/exchange.ts';
import { thumbnail } from '../illustrations.ts';
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
      return tools.send(exchange, textContent(subRip(language, video.seconds), 'application/x-subrip'));
    }
    const height = Number(/^(?:\d*)x(\d{2,4})f?$/.exec(rest)?.[1] ?? 360);
    await sendMedia(exchange, tools, video.title, thumbnail(id, { width: Math.round((height * 16) / 9), height }));
  };
}

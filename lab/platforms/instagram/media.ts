import { sendMedia } from '../../cdn/cdn.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Handler, sendText } from '../../http/exchange.ts';
import { parseTitle } from '../../media/titles.ts';
import { openLink } from './links.ts';

/** Handles the CDN: files by signed links that expire. Pages of other sites may not display its images. */
export function mediaHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const link = openLink(exchange.url);
    if (typeof link === 'string') return sendText(exchange, 403, link);
    const title = parseTitle(link.title);
    if (title === undefined) return notFound(exchange);
    exchange.response.setHeader('cross-origin-resource-policy', 'same-origin');
    await sendMedia(exchange, tools, title, link.file);
  };
}

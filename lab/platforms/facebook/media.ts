import { sendMedia } from '../../cdn/cdn.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Handler, sendText } from '../../http/exchange.ts';
import { openLink } from './links.ts';

/** Handles the media hosts: files by their signed links, until these expire. */
export function mediaHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const file = openLink(exchange.url);
    if (file === 'unknown') return notFound(exchange);
    if (file === 'bad signature') return sendText(exchange, 403, 'Bad URL hash\n');
    if (file === 'over') return sendText(exchange, 403, 'URL signature expired\n');
    await sendMedia(exchange, tools, file.title, file.file);
  };
}

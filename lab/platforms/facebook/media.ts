import { sendMedia } from '../../cdn/cdn.ts';
import { textContent } from '../../cdn/content.ts';
import { subRip } from '../../cdn/sub-rip.ts';
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
    if (file.file === 'captions.srt') {
      return tools.send(exchange, textContent(subRip('en_US', file.title.seconds), 'application/x-subrip'));
    }
    await sendMedia(exchange, tools, file.title, file.file);
  };
}

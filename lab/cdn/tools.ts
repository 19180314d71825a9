import { type Exchange, sendText } from '../http/exchange.ts';
import type { Links } from '../links/links.ts';
import type { MediaCache } from '../media/cache.ts';
import { nextTitle, type Title } from '../media/titles.ts';
import type { Content } from './content.ts';
import type { SendContent } from './send.ts';
import type { Tokens } from './tokens.ts';

/**
 * Tools that CDN hosts share: generated media, the history of links, the links that platforms issue, and the sender that
 * applies the faults.
 */
export interface CdnTools {
  readonly cache: MediaCache;
  readonly tokens: Tokens;
  readonly links: Links;
  readonly send: SendContent;
}

/** Responds with 404. */
export function notFound(exchange: Exchange): void {
  sendText(exchange, 404, `There is no ${exchange.url.pathname} on ${exchange.host}.\n`);
}

/**
 * Serves a title's file at a path, if there is one. The changed version of the file is the next title's file at the
 * same path.
 */
export async function sendOfTitle(
  exchange: Exchange,
  { send }: CdnTools,
  title: Title,
  find: (title: Title) => Promise<Content | undefined>,
): Promise<void> {
  const content = await find(title);
  if (content === undefined) return notFound(exchange);
  const nextVersion = async () => {
    const next = await find(nextTitle(title));
    if (next === undefined) throw new Error(`The next title has nothing at ${exchange.url.pathname}.`);
    return next;
  };
  await send(exchange, { ...content, nextVersion });
}

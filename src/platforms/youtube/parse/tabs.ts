import { dig, list, text } from '../../values.ts';

/**
 * The name of the tab that an answer about a channel shows, as in its address: `videos`, `posts`. A channel that lacks
 * the tab asked for shows another one.
 */
export function shownTab(answer: unknown): string | undefined {
  const tabs = list(dig(answer, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs'));
  const shown = tabs.map((tab) => dig(tab, 'tabRenderer')).find((tab) => dig(tab, 'selected') === true);
  const address = text(dig(shown, 'endpoint', 'commandMetadata', 'webCommandMetadata', 'url'));
  return address?.split('/').at(-1);
}

import { dig, list } from '../../../parsing/values.ts';

const SITE = 'https://www.youtube.com';
const MAX_TABS = 50;

/** A tab of a channel's page. */
export interface Tab {
  /**
   * The last segment of its address, such as `featured`, `videos` or `search`. The site's `streams` becomes
   * `livestreams`, as in the contract.
   */
  readonly name: string;
  /** Whether the response contains its contents. */
  readonly selected: boolean;
}

/** Returns the tabs of a channel's page. Omits a tab without an address (the only tab of YouTube's own channels). */
export function readTabs(response: unknown): readonly Tab[] {
  return list(dig(response, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs'))
    .slice(0, MAX_TABS)
    .flatMap((entry) => {
      const tab = dig(entry, 'tabRenderer') ?? dig(entry, 'expandableTabRenderer');
      const address = dig(tab, 'endpoint', 'commandMetadata', 'webCommandMetadata', 'url');
      const path = typeof address === 'string' ? URL.parse(address, SITE)?.pathname : undefined;
      const last = path?.split('/').at(-1);
      const name = last === 'streams' ? 'livestreams' : last;
      return name ? [{ name, selected: dig(tab, 'selected') === true }] : [];
    });
}

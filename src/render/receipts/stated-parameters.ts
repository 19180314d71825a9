import type { ItemOrigin } from '../../contract/media-origin.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { queryParameter, removeParameters } from '../../contract/query-parameters.ts';

/** Query parameters of links that name an item. Others may name the person who shared it, or give access. */
const namingParameters: ReadonlySet<string> = new Set([
  ...['v', 'list', 'id', 'fbid', 'story_fbid', 'set', 'video', 'video_id', 'multi_permalinks', 'view', 'lb'],
]);
/** Query parameters of links that contain the link to an item. */
const wrappingParameters = ['u', 'next', 'href', 'continue'] as const;

/**
 * Returns the parameters of an item as a receipt may state them. A parameter may be a text with a link, which callers
 * paste from anywhere. Of such a text, only the links are stated, without what does not name the item.
 */
export function statedParameters(parameters: ItemOrigin['parameters']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? statedText(value) : value.map(statedText)]];
    }),
  );
}

function statedText(text: string): string {
  const words = text.split(/[\s<>"'`|]+/);
  const addresses = words.flatMap((word) => addressIn(word) ?? []);
  return addresses.length === 0 ? text : addresses.flatMap((address) => statedLink(address) ?? []).join(' ');
}

/** Returns the address in a word, which may have no scheme; undefined for any other word. */
function addressIn(word: string): string | undefined {
  const start = word.search(/https?:\/\//i);
  if (start >= 0) return word.slice(start);
  const address = word.replace(/^[^a-z0-9]+/i, '');
  const [host = ''] = address.split('/', 1);
  return host !== address && /^[a-z0-9.-]+\.[a-z]{2,}$/i.test(host.slice(0, 300)) ? `https://${address}` : undefined;
}

function statedLink(address: string, isWrapped = false): string | undefined {
  const url = parseUrl(address);
  if (url === null) return undefined;
  const [wrapped] = isWrapped ? [] : wrappingParameters.flatMap((name) => queryParameter(url, name) ?? []);
  if (wrapped !== undefined) return statedLink(wrapped, true);
  removeParameters(url, (name) => !namingParameters.has(name));
  return `${url.origin}${url.pathname}${url.search}`;
}

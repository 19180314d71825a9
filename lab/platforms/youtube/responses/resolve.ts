import type { Node } from '../shapes/basics.ts';
import { detailEndpoint } from '../shapes/posts.ts';
import { findChannel, findHandle } from '../world/channels.ts';
import { findPost } from '../world/posts.ts';

/**
 * Resolves an address of the site; returns undefined if it leads nowhere. `/c/labmoved` is redirected to `/@thelab`.
 */
export function resolveResponse(address: string): Node | undefined {
  const path = URL.parse(address)?.pathname ?? '';
  const [, area = '', rest = ''] =
    /^\/(@|user\/|c\/|channel\/|post\/|)([^/]+)\/?(?:featured|videos|shorts|posts)?$/.exec(decode(path)) ?? [];
  if (area === 'post/') {
    const post = findPost(rest);
    return post && { endpoint: { ...detailEndpoint(post), ...page(`/post/${rest}`, 'BROWSE') } };
  }
  if (area === 'c/' && rest === 'labmoved') {
    const url = 'https://www.youtube.com/@thelab';
    return { endpoint: { ...page(url, 'UNKNOWN'), urlEndpoint: { url } } };
  }
  const channel = area === 'channel/' ? findChannel(rest) : findHandle(rest);
  if (channel === undefined) return undefined;
  const browseEndpoint = { browseId: channel.id, params: 'EgC4AQCSAwDyBgQKAjIA' };
  return { endpoint: { ...page(`/@${channel.handle}`, 'CHANNEL'), browseEndpoint } };
}

function page(url: string, type: string): Node {
  return { commandMetadata: { webCommandMetadata: { url, webPageType: `WEB_PAGE_TYPE_${type}` } } };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that escapes nothing is literal.
    return path;
  }
}

import { queryParameter } from '../../../contract/query-parameters.ts';
import { count, defined, dig } from '../../../parsing/values.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';
import { channelIdOf, playlistIdOf, videoIdOf } from './ids.ts';

const SITE = 'https://www.youtube.com';

/** The target of a text or button. */
export interface Link {
  readonly url?: string;
  readonly videoId?: string;
  readonly playlistId?: string;
  readonly channelId?: string;
  /** The channel's handle, with its `@`. */
  readonly handle?: string;
  /** Position in the video, in seconds. */
  readonly startSeconds?: number;
}

/** Reads an endpoint: the `navigationEndpoint` of a run, or the `innertubeCommand` of an `onTap`. */
export function readLink(endpoint: unknown): Link {
  const watch = dig(endpoint, 'watchEndpoint') ?? dig(endpoint, 'reelWatchEndpoint');
  const browse = dig(endpoint, 'browseEndpoint');
  return defined({
    url: address(endpoint),
    videoId: videoIdOf(dig(watch, 'videoId')),
    playlistId: playlistIdOf(dig(watch, 'playlistId')),
    channelId: channelIdOf(dig(browse, 'browseId')),
    handle: readHandle(dig(browse, 'canonicalBaseUrl')),
    startSeconds: count(dig(watch, 'startTimeSeconds')) || undefined,
  });
}

/** Returns the handle in a channel's address, such as `/@name` or a full URL, or undefined if it has none. */
export function readHandle(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const handle = /^(?:https?:\/\/www\.youtube\.com)?\/?(@[^\s/?#]{1,100})/.exec(value)?.[1];
  if (handle === undefined || !handle.includes('%')) return handle;
  try {
    return decodeURIComponent(handle);
  } catch {
    // The handle is not percent-encoded after all, so it is returned unchanged.
    return handle;
  }
}

function address(endpoint: unknown): string | undefined {
  const outside = dig(endpoint, 'urlEndpoint', 'url');
  if (typeof outside === 'string') return unwrapRedirect(outside);
  const inside = dig(endpoint, 'commandMetadata', 'webCommandMetadata', 'url');
  return typeof inside === 'string' && inside.startsWith('/') ? httpSiteUrl(`${SITE}${inside}`) : httpSiteUrl(inside);
}

/** Unwraps a link to another site, which goes through `/redirect?…&q=<the link>`. */
function unwrapRedirect(link: string): string | undefined {
  const url = parseSiteUrl(link, SITE);
  const target =
    url?.hostname === 'www.youtube.com' && url.pathname === '/redirect' ? queryParameter(url, 'q') : undefined;
  return httpSiteUrl(target ?? url?.href);
}

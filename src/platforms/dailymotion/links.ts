import { queryParameter } from '../../contract/query-parameters.ts';
import { type LinkTarget, type PlatformLinks, webUrl } from '../link-target.ts';

/**
 * A video ID: a public one (`x…`), or a private share key (`k…`), which is case-sensitive. The maximum lengths are
 * several times the longest ever seen (8 and 19).
 */
const videoId = /^(?:x[0-9a-z]{1,31}|k[0-9A-Za-z]{1,63})$/;

/** Current IDs. The pattern requires a digit, to exclude ordinary words. */
const bareId = /^(?:x(?=.*\d)[0-9a-z]{5,8}|k(?=.*\d)[0-9A-Za-z]{15,20})$/;

/** Returns whether a text is a video ID. */
export function isVideoId(text: string): boolean {
  return videoId.test(text);
}

/**
 * Returns the ID of the video that a link leads to, for every link format the site has used, or null for any other
 * link.
 */
export function recognise(link: string): string | null {
  const url = webUrl(link);
  return url === null ? null : videoIn(url);
}

/** Returns whether a host belongs to the site or to its short links. */
export function isPlatformHost(host: string): boolean {
  return isShortHost(host) || isSiteHost(host);
}

/** The link readers of Dailymotion. */
export const dailymotion: PlatformLinks = {
  id: 'p5',
  name: 'Dailymotion',
  idRank: 2,
  ofLink(url) {
    const id = videoIn(url);
    return id === null ? undefined : video(id);
  },
  ofId: (text) => (bareId.test(text) ? video(text) : undefined),
};

function video(id: string): LinkTarget {
  return { endpoint: 'video/details', parameters: { videoId: id } };
}

function videoIn(url: URL): string | null {
  const id = idIn(url);
  return id !== undefined && isVideoId(id) ? id : null;
}

function idIn(url: URL): string | undefined {
  const { hostname, pathname, hash } = url;
  if (isShortHost(hostname)) return withoutTail(/^\/(.+)/.exec(pathname)?.[1]);
  if (!isSiteHost(hostname)) return undefined;
  if (/^\/player(?:\/[\w-]+)?\.html$/.test(pathname)) return withoutTail(queryParameter(url, 'video'));
  const path = /^\/(?:[a-z]{2}\/)?(?:(?:(?:embed|crawler|swf)\/)?video|swf)\/(.+)/.exec(pathname)?.[1];
  // Pages of playlists name the video that they play, and old mobile pages the video that they show, after the #.
  return withoutTail(path ?? /^#(?:\/?video[=/])(.+)/.exec(hash)?.[1]);
}

function isShortHost(host: string): boolean {
  return host === 'dai.ly' || host === 'www.dai.ly';
}

/** The site has domains for many countries. */
function isSiteHost(host: string): boolean {
  return /^(?:(?:www|touch|geo)\.)?dailymotion\.[a-z]{2,3}$/.test(host);
}

/** Removes the suffix of an ID in a link: a readable title, or a path of an old player. */
function withoutTail(text: string | undefined): string | undefined {
  return text?.split(/[_?&#/]/, 1)[0];
}

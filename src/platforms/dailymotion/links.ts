import { type LinkTarget, type PlatformLinks, webUrl } from '../link-target.ts';

/**
 * Pattern of a video ID: a public one (`x…`), or a private share key (`k…`), which is case-sensitive. The maximum
 * lengths are several times the longest ever seen (8 and 19).
 */
export const videoIdPattern = /^(?:x[0-9a-z]{1,31}|k[0-9A-Za-z]{1,63})$/;

/** Current IDs. The pattern requires a digit, to exclude ordinary words. */
const bareId = /^(?:x(?=.*\d)[0-9a-z]{5,8}|k(?=.*\d)[0-9A-Za-z]{15,20})$/;

/** Returns whether a text is a video ID. */
export function isVideoId(text: string): boolean {
  return videoIdPattern.test(text);
}

/**
 * Returns the ID of the video that a link leads to, for every link format the site has used, or null for any other
 * link.
 */
export function recognise(link: string): string | null {
  const url = webUrl(link);
  return url === null ? null : videoIn(url);
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

function video(videoId: string): LinkTarget {
  return { endpoint: 'video/details', parameters: { videoId } };
}

function videoIn(url: URL): string | null {
  const id = idIn(url);
  return id !== undefined && isVideoId(id) ? id : null;
}

function idIn(url: URL): string | undefined {
  if (/^(?:www\.)?dai\.ly$/.test(url.hostname)) return withoutTail(/^\/(.+)/.exec(url.pathname)?.[1]);
  if (!/^(?:(?:www|touch|geo)\.)?dailymotion\.[a-z]{2,3}$/.test(url.hostname)) return undefined;
  if (/^\/player(?:\/[\w-]+)?\.html$/.test(url.pathname))
    return withoutTail(url.searchParams.get('video') ?? undefined);
  return withoutTail(/^\/(?:(?:(?:embed|crawler|swf)\/)?video|swf)\/(.+)/.exec(url.pathname)?.[1]);
}

/** Removes the suffix of an ID in a link: a readable title, or a path of an old player. */
function withoutTail(text: string | undefined): string | undefined {
  return text?.split(/[_?&#/]/, 1)[0];
}

import { type LinkTarget, type PlatformLinks, webUrl } from '../link-target.ts';

/**
 * What a video id may be: a public one (`x…`), or a private share key (`k…`, mixed case), which works in that form
 * alone. Lengths are several times those that were ever seen (8 and 19).
 */
export const videoIdPattern = /^(?:x[0-9a-z]{1,31}|k[0-9A-Za-z]{1,63})$/;

/** Ids of today; they have a digit, which words have not. */
const bareId = /^(?:x(?=.*\d)[0-9a-z]{5,8}|k(?=.*\d)[0-9A-Za-z]{15,20})$/;

/** Whether a text is a video id. */
export function isVideoId(text: string): boolean {
  return videoIdPattern.test(text);
}

/** The video that a link of the site means, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): string | null {
  const url = webUrl(link);
  return url === null ? null : videoIn(url);
}

/** The public face of Dailymotion. */
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

/** Removes what follows an id in a link: a title for people, or a path of an old player. */
function withoutTail(text: string | undefined): string | undefined {
  return text?.split(/[_?&#/]/, 1)[0];
}

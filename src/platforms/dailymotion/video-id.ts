/**
 * What a video id may be: a public one (`x…`), or a private share key (`k…`, mixed case), which works in that form
 * alone. Lengths are several times those that were ever seen (8 and 19).
 */
export const videoIdPattern = /^(?:x[0-9a-z]{1,31}|k[0-9A-Za-z]{1,63})$/;

/** Whether a text is a video id. */
export function isVideoId(text: string): boolean {
  return videoIdPattern.test(text);
}

/** The video that a link of the site means, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): string | null {
  const url = URL.parse(link);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const id = idIn(url);
  return id !== undefined && isVideoId(id) ? id : null;
}

function idIn(url: URL): string | undefined {
  if (/^(?:www\.)?dai\.ly$/.test(url.hostname)) return cut(/^\/(.+)/.exec(url.pathname)?.[1]);
  if (!/^(?:(?:www|touch|geo)\.)?dailymotion\.[a-z]{2,3}$/.test(url.hostname)) return undefined;
  if (/^\/player(?:\/[\w-]+)?\.html$/.test(url.pathname)) return cut(url.searchParams.get('video') ?? undefined);
  return cut(/^\/(?:(?:(?:embed|crawler|swf)\/)?video|swf)\/(.+)/.exec(url.pathname)?.[1]);
}

/** What follows an id in a link is a title for people, or a path of an old player. */
function cut(text: string | undefined): string | undefined {
  return text?.split(/[_?&#/]/, 1)[0];
}

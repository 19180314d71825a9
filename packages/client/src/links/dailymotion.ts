import { siteOf } from './site.ts';

const videoId = /^(?:x[0-9a-z]{1,31}|k[0-9A-Za-z]{1,63})$/;

/** Ids of today; they have a digit, which words have not. */
const idAlone = /^(?:x(?=.*\d)[0-9a-z]{5,8}|k(?=.*\d)[0-9A-Za-z]{15,20})$/;

const video = (id: string) =>
  videoId.test(id) ? ({ endpoint: 'video/details', parameters: { videoId: id } } as const) : undefined;

/** What follows an id in a link is a title for people, or a path of an old player. */
const cut = (text = '') => text.split(/[_?&#/]/, 1)[0] ?? '';

/** p5. */
export const dailymotion = siteOf(
  'p5',
  /^(?:www\.)?dai\.ly$|^(?:(?:www|touch|geo)\.)?dailymotion\.[a-z]{2,3}$/,
  (url) => {
    const { hostname, pathname, searchParams } = url;
    if (hostname.endsWith('dai.ly')) return video(cut(pathname.slice(1)));
    if (/^\/player(?:\/[\w-]+)?\.html$/.test(pathname)) return video(cut(searchParams.get('video') ?? ''));
    return video(cut(/^\/(?:(?:(?:embed|crawler|swf)\/)?video|swf)\/(.+)/.exec(pathname)?.[1]));
  },
  (text) => (idAlone.test(text) ? video(text) : undefined),
);

import { siteOf } from './site.ts';

const postPaths: readonly RegExp[] = [
  /^\/@(?:[\w.-]{1,64})?\/(?:video|photo)\/\d{19}\/?$/,
  /^\/(?:i18n\/)?share\/video\/\d{19}\/?$/,
  /^\/embed\/(?:v2\/)?\d{19}\/?$/,
  /^\/v\/\d{19}\.html$/,
];

/** The page of a user, or of the user's live stream; a user's secret id in place of the name leads to no page. */
const profilePath = /^\/@(?!MS4wLjABAAAA)[\w.-]{1,64}(?:\/live)?\/?$/;

const shortHost = /^v[mt]\.tiktok\.com$/;

const post = (url: string) => ({ endpoint: 'post/details', parameters: { url } }) as const;

const user = (url: string) => ({ endpoint: 'user/details', parameters: { url } }) as const;

/** The upper half of a post's number is the second in which it was made: these begin in 2014, when the site did. */
const postNumber = /^[67]\d{18}$/;

/** p4. */
export const tiktok = siteOf(
  'p4',
  /^(?:(?:www|m|vm|vt)\.)?tiktok\.com$|^www\.tiktokv\.com$/,
  ({ href, hostname, pathname }) => {
    const isPost = postPaths.some((path) => path.test(pathname));
    if (hostname === 'www.tiktokv.com') return isPost && pathname.startsWith('/share/') ? post(href) : undefined;
    // What a short link leads to is known to the site alone; the service follows it.
    if (shortHost.test(hostname)) return /^\/[\w-]{1,64}\/?$/.test(pathname) ? post(href) : undefined;
    if (isPost || /^\/t\/[\w-]{1,64}\/?$/.test(pathname)) return post(href);
    return profilePath.test(pathname) ? user(href) : undefined;
  },
  (text) => {
    if (postNumber.test(text)) return post(`https://www.tiktok.com/@_/video/${text}`);
    return /^@[\w.-]{1,64}$/.test(text) ? user(`https://www.tiktok.com/${text}`) : undefined;
  },
);
